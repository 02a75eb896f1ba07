import {
  type GenericValue,
  type IDataObject,
  type IExecuteFunctions,
  NodeOperationError,
} from "n8n-workflow";
import { operations } from "./generated.ts";
import { listFields, requireFiles, resolveFile, uploadBinary } from "./input-files.ts";
import type { OperationFields } from "./operation-fields.ts";
import { readField } from "./read-field.ts";

/** The request of a job from the fields of the node. */

export interface JobRequest {
  readonly url: string;
  readonly body: IDataObject;
}

/** Whether the operation takes the files of all items in one job. */
export function takesAllItems(context: IExecuteFunctions): boolean {
  const { inputs } = findOperation(context, 0) ?? {};
  return inputs === "many" && readField(context, "input", 0) === "items";
}

function findOperation(context: IExecuteFunctions, index: number): OperationFields | undefined {
  const resource: string = readField(context, "resource", index);
  const operation: string = readField(context, "operation", index);
  return operations[resource]?.find(({ name }) => name === operation);
}

/** The request for item `index`. Uploads its files. */
export async function buildRequest(context: IExecuteFunctions, index: number): Promise<JobRequest> {
  const common = readCommon(context, index);
  const resource: string = readField(context, "resource", index);
  if (resource === "chain") {
    const chain = parseJson(context, index, "operations", readField(context, "operations", index));
    const input = await readInput(context, index);
    return { url: "/v1/jobs", body: { input, operations: chain, ...common } };
  }
  const operation = findOperation(context, index);
  if (!operation) {
    throw new NodeOperationError(context.getNode(), "There is no such operation.", {
      itemIndex: index,
    });
  }
  const params = await readParams(context, index, operation);
  const files =
    operation.inputs === "none"
      ? {}
      : operation.inputs === "one"
        ? { input: await readInput(context, index) }
        : { inputs: await readInputs(context, index) };
  return { url: `/v1/${resource}/${operation.name}`, body: { ...params, ...files, ...common } };
}

async function readInput(context: IExecuteFunctions, index: number): Promise<string> {
  const isUrl = readField(context, "input", index) === "url";
  if (!isUrl) return uploadBinary(context, index, readField(context, "binaryField", index));
  const url: string = readField(context, "url", index);
  return requireFiles(context, index, [url.trim()])[0] ?? "";
}

async function readInputs(context: IExecuteFunctions, index: number): Promise<string[]> {
  const from: string = readField(context, "input", index);
  if (from === "url") return requireFiles(context, index, readField(context, "urls", index));
  const field: string = readField(context, "binaryField", index);
  const items = from === "items" ? context.getInputData().map((_, item) => item) : [index];
  const uploads: string[] = [];
  for (const item of items) {
    const names = from === "items" ? [field] : listFields(context, item, field);
    for (const name of names) uploads.push(await uploadBinary(context, item, name));
  }
  return requireFiles(context, index, uploads);
}

/** The parameters that are set. Others keep the service's defaults. */
async function readParams(
  context: IExecuteFunctions,
  index: number,
  { parts, required, optional, mixed }: OperationFields,
): Promise<IDataObject> {
  const options: Record<string, GenericValue> = readField(context, "options", index, {});
  const read = ({ name, required: isTop }: { name: string; required?: boolean }): GenericValue =>
    isTop ? readField(context, name, index) : options[name];
  const params: IDataObject = {};
  for (const field of [...required, ...optional]) {
    const value = read(field);
    if (value === undefined || value === "") continue;
    if (field.type === "json") params[field.name] = parseJson(context, index, field.name, value);
    else params[field.name] = mixed.includes(field.name) ? toNumber(value) : value;
  }
  for (const part of parts) {
    const value = read(part);
    if (typeof value !== "string" || value === "") continue;
    params[`${part.name}_url`] = await resolveFile(context, index, value);
  }
  return params;
}

/** A text that is a number as a number. */
function toNumber(value: GenericValue): GenericValue {
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

/** The value of a JSON field: text, or what an expression gave. */
function parseJson(
  context: IExecuteFunctions,
  itemIndex: number,
  name: string,
  value: GenericValue,
): GenericValue {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as GenericValue;
  } catch {
    const message = `The field ${name} is not valid JSON.`;
    throw new NodeOperationError(context.getNode(), message, { itemIndex });
  }
}

/** The webhook and the metadata. */
function readCommon(context: IExecuteFunctions, index: number): IDataObject {
  const { metadata }: IDataObject = readField(context, "settings", index, {});
  const webhook = readField(context, "continueWhen", index) === "webhook";
  return {
    ...(webhook ? { webhook_url: readField(context, "webhookUrl", index) } : {}),
    ...(metadata === undefined
      ? {}
      : { metadata: parseJson(context, index, "metadata", metadata) as IDataObject }),
  };
}
