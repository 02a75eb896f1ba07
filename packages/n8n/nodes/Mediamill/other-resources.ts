import type { INodeProperties } from "n8n-workflow";
import { downloadField, outputSettings } from "./run-fields.ts";

/** Fields of chains, jobs and the account. */

export const chainOperationField: INodeProperties = {
  displayName: "Operation",
  name: "operation",
  type: "options",
  noDataExpression: true,
  displayOptions: { show: { resource: ["chain"] } },
  options: [
    {
      name: "Run",
      value: "run",
      description: "Run several operations on one file, as one job",
      action: "Run a chain",
    },
  ],
  default: "run",
};

export const chainFields: INodeProperties[] = [
  {
    displayName: "Operations",
    name: "operations",
    type: "json",
    typeOptions: { rows: 8 },
    required: true,
    default:
      '[\n  { "type": "image/resize", "params": { "width": 800 } },\n  { "type": "image/convert", "params": { "format": "webp" } }\n]',
    description: "At most 10, in order. Each one takes the first output of the one before.",
    displayOptions: { show: { resource: ["chain"] } },
  },
];

const jobActions = [
  { value: "cancel", name: "Cancel", description: "Cancel a pending or processing job" },
  { value: "delete", name: "Delete Files", description: "Delete the files of a job" },
  { value: "get", name: "Get", description: "Get a job and its outputs" },
  { value: "getAll", name: "Get Many", description: "Get the newest jobs" },
  { value: "retry", name: "Retry", description: "Run a failed or cancelled job again" },
];

const showJob = (...operation: string[]) => ({ show: { resource: ["job"], operation } });

export const jobFields: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["job"] } },
    options: jobActions.map((option) => ({ ...option, action: `${option.description}` })),
    default: "get",
  },
  {
    displayName: "Job ID",
    name: "jobId",
    type: "string",
    required: true,
    default: "",
    placeholder: "job_…",
    description: "The field id of a job. In what a webhook sends, it is data.id.",
    displayOptions: showJob("cancel", "delete", "get", "retry"),
  },
  {
    displayName: "Wait for the End",
    name: "wait",
    type: "boolean",
    default: true,
    description: "Whether to wait until the job has ended. A job that failed is then an error.",
    displayOptions: showJob("get"),
  },
  { ...downloadField, displayOptions: { show: { ...showJob("get").show, wait: [true] } } },
  {
    displayName: "Settings",
    name: "settings",
    type: "collection",
    placeholder: "Add setting",
    default: {},
    displayOptions: showJob("get"),
    options: outputSettings,
  },
  {
    displayName: "Return All",
    name: "returnAll",
    type: "boolean",
    default: false,
    description: "Whether to return all results or only up to a given limit",
    displayOptions: showJob("getAll"),
  },
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    typeOptions: { minValue: 1 },
    default: 50,
    description: "Max number of results to return",
    displayOptions: { show: { ...showJob("getAll").show, returnAll: [false] } },
  },
  {
    displayName: "Filters",
    name: "filters",
    type: "collection",
    placeholder: "Add filter",
    default: {},
    displayOptions: showJob("getAll"),
    options: [
      {
        displayName: "Operation ID",
        name: "operation",
        type: "string",
        default: "",
        placeholder: "image/resize",
      },
      {
        displayName: "Status",
        name: "status",
        type: "options",
        options: ["pending", "processing", "completed", "failed", "cancelled"].map((value) => ({
          name: value,
          value,
        })),
        default: "completed",
      },
    ],
  },
];

export const accountFields: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["account"] } },
    options: [
      {
        name: "Get Usage",
        value: "usage",
        description: "Get the usage of this month",
        action: "Get usage",
      },
    ],
    default: "usage",
  },
];
