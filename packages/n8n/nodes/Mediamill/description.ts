import type { INodeProperties } from "n8n-workflow";
import { operations } from "./generated.ts";
import type { OperationFields } from "./operation-fields.ts";
import { accountFields, chainFields, chainOperationField, jobFields } from "./other-resources.ts";
import { runFields, settingsField } from "./run-fields.ts";

/** The fields of the node, made from the operations of the catalogue. */

const titles: Record<string, string> = {
  document: "Document",
  image: "Image",
  video: "Video",
  audio: "Audio",
  pipeline: "Pipeline",
};

const groups = Object.keys(operations);

/** Returns `fields`, shown for one operation only. */
function shownFor(resource: string, names: string[], fields: INodeProperties[]): INodeProperties[] {
  return fields.map((field) => {
    const { show = {} } = field.displayOptions ?? {};
    return {
      ...field,
      displayOptions: {
        ...field.displayOptions,
        show: { ...show, resource: [resource], operation: names },
      },
    };
  });
}

const resourceField: INodeProperties = {
  displayName: "Resource",
  name: "resource",
  type: "options",
  noDataExpression: true,
  options: [
    ...groups.map((group) => ({ name: titles[group] ?? group, value: group })),
    { name: "Chain", value: "chain" },
    { name: "Job", value: "job" },
    { name: "Account", value: "account" },
  ],
  default: "image",
};

function operationField(group: string, own: OperationFields[]): INodeProperties {
  return {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: [group] } },
    options: [...own]
      .sort((one, other) => one.title.localeCompare(other.title, "en"))
      .map(({ name, title, summary }) => ({
        name: title,
        value: name,
        description: summary,
        action: title,
      })),
    default: own[0]?.name ?? "",
  };
}

/** What an operation needs, and a collection of what it can have. */
function parameterFields(group: string, operation: OperationFields): INodeProperties[] {
  const { name, parts, required, optional } = operation;
  const needed = [...parts.filter((part) => part.required), ...required];
  const further = [...parts.filter((part) => !part.required), ...optional];
  const options: INodeProperties = {
    displayName: "Options",
    name: "options",
    type: "collection",
    placeholder: "Add option",
    default: {},
    options: further,
  };
  return shownFor(group, [name], further.length > 0 ? [...needed, options] : needed);
}

function groupFields(group: string): INodeProperties[] {
  const own = operations[group] ?? [];
  const namesOf = (inputs: OperationFields["inputs"]) =>
    own.filter((operation) => operation.inputs === inputs).map(({ name }) => name);
  return [
    operationField(group, own),
    ...shownFor(group, namesOf("one"), inputFields),
    ...shownFor(group, namesOf("many"), severalInputFields),
    ...own.flatMap((operation) => parameterFields(group, operation)),
  ];
}

const binaryField: INodeProperties = {
  displayName: "Input Binary Field",
  name: "binaryField",
  type: "string",
  required: true,
  default: "data",
  description: "The name of the binary field of the item that has the file",
};

const urlText = "http or https, or the ID of an upload";

const inputFields: INodeProperties[] = [
  {
    displayName: "Input",
    name: "input",
    type: "options",
    options: [
      { name: "Binary Field", value: "binary" },
      { name: "URL", value: "url" },
    ],
    default: "binary",
  },
  { ...binaryField, displayOptions: { show: { input: ["binary"] } } },
  {
    displayName: "URL",
    name: "url",
    type: "string",
    required: true,
    default: "",
    placeholder: "https://example.com/photo.jpg",
    description: `The URL of the file: ${urlText}`,
    displayOptions: { show: { input: ["url"] } },
  },
];

const severalInputFields: INodeProperties[] = [
  {
    displayName: "Inputs",
    name: "input",
    type: "options",
    options: [
      {
        name: "Binary Field of All Items",
        value: "items",
        description: "One job for all items, in their order",
      },
      { name: "Binary Fields of the Item", value: "binary", description: "A job for each item" },
      { name: "URLs", value: "url", description: "A job for each item" },
    ],
    default: "items",
  },
  { ...binaryField, displayOptions: { show: { input: ["items"] } } },
  {
    ...binaryField,
    displayName: "Input Binary Fields",
    default: "*",
    description: "The names of the binary fields, in order, separated by commas; * for all fields",
    displayOptions: { show: { input: ["binary"] } },
  },
  {
    displayName: "URLs",
    name: "urls",
    type: "string",
    typeOptions: { multipleValues: true, multipleValueButtonText: "Add URL" },
    required: true,
    default: [],
    description: `The URLs of the files, in order: ${urlText}`,
    displayOptions: { show: { input: ["url"] } },
  },
];

export const properties: INodeProperties[] = [
  resourceField,
  ...groups.flatMap(groupFields),
  // n8n reads the fields in order: what a field depends on comes before it.
  chainOperationField,
  ...shownFor("chain", ["run"], inputFields),
  ...chainFields,
  ...jobFields,
  ...accountFields,
  ...runFields([...groups, "chain"]),
  settingsField([...groups, "chain"]),
];
