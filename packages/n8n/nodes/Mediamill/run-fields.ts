import type { INodeProperties } from "n8n-workflow";

/** Fields of everything that creates a job. */

export function runFields(resources: string[]): INodeProperties[] {
  return [
    {
      displayName: "Continue",
      name: "continueWhen",
      type: "options",
      options: [
        { name: "When the Job Has Ended", value: "ended" },
        {
          name: "At Once",
          value: "created",
          description: "The output is the pending job. Read it later with Job: Get.",
        },
        {
          name: "At Once, With a Webhook",
          value: "webhook",
          description: "The service calls a URL when the job has ended",
        },
      ],
      default: "ended",
      displayOptions: { show: { resource: resources } },
    },
    {
      displayName: "Webhook URL",
      name: "webhookUrl",
      type: "string",
      required: true,
      default: "={{ $execution.resumeUrl }}",
      description:
        "Gets a signed POST request when the job has ended. By default the URL that resumes this execution: add a Wait node after this one that resumes on a webhook call with the method POST. For another workflow, use the URL of its Mediamill Trigger.",
      displayOptions: { show: { resource: resources, continueWhen: ["webhook"] } },
    },
    {
      ...downloadField,
      displayOptions: { show: { resource: resources, continueWhen: ["ended"] } },
    },
  ];
}

export const downloadField: INodeProperties = {
  displayName: "Download Outputs",
  name: "download",
  type: "boolean",
  default: true,
  description:
    "Whether to put the output files into binary fields. Otherwise the job has only their URLs.",
};

/** Names and places of the outputs. */
export const outputSettings: INodeProperties[] = [
  {
    displayName: "Output Binary Field",
    name: "outputField",
    type: "string",
    default: "data",
    description: "The name of the binary field for the output file",
  },
  {
    displayName: "Several Outputs",
    name: "severalOutputs",
    type: "options",
    options: [
      { name: "One Item for Each File", value: "items" },
      {
        name: "One Item for All Files",
        value: "fields",
        description: "In the fields data, data_1, data_2 and so on",
      },
    ],
    default: "items",
    description: "Where the files go if the job has several",
  },
  {
    displayName: "Timeout",
    name: "timeout",
    type: "number",
    typeOptions: { minValue: 1 },
    default: 60,
    description: "Minutes to wait for the end of the job. The job goes on after it.",
  },
];

export function settingsField(resources: string[]): INodeProperties {
  return {
    displayName: "Settings",
    name: "settings",
    type: "collection",
    placeholder: "Add setting",
    default: {},
    displayOptions: { show: { resource: resources } },
    options: [
      ...outputSettings,
      {
        displayName: "Metadata",
        name: "metadata",
        type: "json",
        default: "{}",
        description: "At most 16 texts by name, which the job and its webhook return",
      },
    ],
  };
}
