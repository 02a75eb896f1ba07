import { type FieldSchema, inputSchema } from "#lib/api/http/schema-messages.ts";
import { sentEventTypes, webhookEventTypes } from "#lib/db/schema/event-types.ts";
import { type Operation, operationGroups } from "#lib/operations/define.ts";
import {
  boundsOf,
  controlOf,
  isNumeric,
  type ParameterSchema,
  parameterSchemas,
} from "#lib/operations/parameter-schema.ts";
import type { OperationFields } from "#packages/n8n/nodes/Mediamill/operation-fields.ts";

type Property = OperationFields["required"][number];

/** Names of the node's own fields, which no required parameter may have. */
const reserved = new Set(["resource", "operation", "options", "settings", "input", "url"]);

/** The operations for the n8n node, with their parameters as n8n's fields. */
export function renderN8nOperations(operations: readonly Operation[]): string {
  const groups = operationGroups.map((group) => {
    const own = operations.filter((operation) => operation.group === group);
    return `  ${group}: ${JSON.stringify(own.map(describeOperation), null, 2)},`;
  });
  return [
    'import type { OperationFields } from "./operation-fields.ts";',
    "",
    "/** The operations of each group, in the order of the catalogue. */",
    `export const operations: Record<string, OperationFields[]> = {\n${groups.join("\n")}\n};`,
    "",
    "/** The events of webhooks, by name. */",
    `export const webhookEvents = ${JSON.stringify(describeEvents(webhookEventTypes), null, 2)};`,
    "",
    "/** The events of endpoints, by name. */",
    `export const endpointEvents = ${JSON.stringify(describeEvents(sentEventTypes), null, 2)};`,
    "",
  ].join("\n");
}

function describeOperation(operation: Operation): OperationFields {
  const { id, title, summary, inputs, files = {}, params, example } = operation;
  const { properties, required } = parameterSchemas(params);
  const shapes = inputSchema(params).properties ?? {};
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    if (isRequired && reserved.has(name)) throw new Error(`${id}: ${name} is a field of the node`);
    return { name, schema, isRequired, shape: shapes[name] ?? {} };
  });
  const toProperty = (isRequired: boolean) =>
    fields
      .filter((field) => field.isRequired === isRequired)
      .map(({ name, schema, shape }) => ({
        ...describeField(name, schema, shape, isRequired ? example[name] : undefined),
        ...(isRequired ? { required: true } : {}),
      }));
  const parts = Object.entries(files).map(([name, file]) => ({
    displayName: toTitle(name),
    name,
    type: "string" as const,
    default: "",
    ...(file.required ? { required: true } : {}),
    placeholder: "watermark",
    description: `${file.description} The name of a binary field of the item, a URL, or the ID of an upload.`,
  }));
  return {
    name: id.slice(id.indexOf("/") + 1),
    title,
    summary: summary.replace(/\.$/, ""),
    inputs: inputs.max === 0 ? "none" : inputs.max === 1 ? "one" : "many",
    parts,
    required: toProperty(true),
    optional: toProperty(false),
    mixed: fields.filter(({ schema }) => schema.anyOf && isNumeric(schema)).map(({ name }) => name),
  };
}

/** One parameter as a field. `example` is a valid value of a required parameter. */
function describeField(
  name: string,
  schema: ParameterSchema,
  shape: FieldSchema,
  example: unknown,
): Property {
  const common = {
    displayName: toTitle(name),
    name,
    ...(schema.description ? { description: schema.description } : {}),
  };
  const initial = schema.default ?? example;
  const values = schema.enum ?? shape.items?.enum;
  const options = values?.map((value) => ({ name: String(value), value }));
  if (options && schema.type === "array") {
    return { ...common, type: "multiOptions", options, default: initial ?? [] };
  }
  if (options)
    return { ...common, type: "options", options, default: initial ?? values?.[0] ?? "" };
  const control = controlOf(schema);
  switch (schema.type) {
    case "boolean":
      return { ...common, type: "boolean", default: initial === true };
    case "number":
    case "integer":
      return describeNumber(common, schema, initial);
    case "array":
    case "object":
      return { ...common, type: "json", default: JSON.stringify(initial ?? emptyOf(schema)) };
    default:
  }
  const isText = schema.anyOf?.every(({ type }) => type === "object" || type === "array") !== true;
  if (!isText) return { ...common, type: "json", default: JSON.stringify(initial ?? {}) };
  const text = typeof initial === "string" || typeof initial === "number" ? `${initial}` : "";
  if (control === "color") return { ...common, type: "color", default: text };
  const typeOptions = schema.secret
    ? { typeOptions: { password: true } }
    : control === "textarea"
      ? { typeOptions: { rows: 4 } }
      : {};
  return { ...common, type: "string", ...typeOptions, default: schema.secret ? "" : text };
}

const emptyOf = ({ type }: ParameterSchema) => (type === "array" ? [] : {});

function describeNumber(
  common: Pick<Property, "displayName" | "name" | "description">,
  schema: ParameterSchema,
  initial: unknown,
): Property {
  const { min, max } = boundsOf(schema);
  return {
    ...common,
    type: "number",
    typeOptions: {
      ...(min === null ? {} : { minValue: min }),
      ...(max === null ? {} : { maxValue: max }),
      // n8n shows and sends whole numbers by default.
      numberPrecision: schema.type === "integer" ? 0 : 4,
    },
    default: typeof initial === "number" ? initial : Math.max(min ?? 0, 0),
  };
}

function describeEvents(types: readonly string[]) {
  const names = types.map((value) => ({ name: toTitle(value), value }));
  return names.sort((one, other) => one.name.localeCompare(other.name));
}

const acronyms = /^(url|html|pdf|css|dpi|fps|crf|ssim|lufs|gps|id)$/;

/** Makes a title: `page_size` becomes `Page Size`, and `job.failed` becomes `Job Failed`. */
function toTitle(name: string): string {
  return name
    .split(/[._-]/)
    .map((word) =>
      acronyms.test(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join(" ");
}
