import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { ReadableStream } from "node:stream/web";
import type {
  IBinaryData,
  ICredentialType,
  IHttpRequestOptions,
  INodeExecutionData,
  INodeProperties,
  INodeType,
} from "n8n-workflow";
import { installPackage } from "./install-package.ts";

/** Runs nodes as n8n does: loaded from the built package, with requests over HTTP. */

export interface LoadedNodes {
  readonly nodes: Readonly<Record<string, INodeType>>;
  readonly credential: ICredentialType;
  readonly folder: string;
}

/** Builds the package, installs it into `folder`, and loads what its package.json lists. */
export async function loadNodes(folder: string): Promise<LoadedNodes> {
  const installed = await installPackage("n8n", "n8n-nodes-mediamill", folder);
  const workflow = join(folder, "node_modules/n8n-workflow");
  mkdirSync(workflow, { recursive: true });
  copyFileSync(join(import.meta.dirname, "n8n-workflow.cjs"), join(workflow, "index.js"));
  const require = createRequire(join(installed, "package.json"));
  const { n8n } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const load = (path: string) => {
    const name = basename(path).split(".")[0] ?? "";
    return [name, new (require(`./${path}`)[name])()];
  };
  const [[, credential] = []] = n8n.credentials.map(load);
  return { nodes: Object.fromEntries(n8n.nodes.map(load)), credential, folder: installed };
}

export interface Execution {
  readonly node: INodeType;
  readonly credential: ICredentialType;
  readonly credentials: { readonly apiKey: string; readonly baseUrl: string };
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly items: readonly INodeExecutionData[];
  readonly continueOnFail?: boolean;
  /** A signal that is aborted when a person stops the execution. */
  readonly signal?: AbortSignal;
}

const files = new Map<string, Buffer>();

/**
 * Makes binary data as n8n has it: in the item, or with `isStored` in a store, from which it is
 * streamed.
 */
export function binaryOf(content: Buffer, fileName: string, isStored = false): IBinaryData {
  const mimeType = "application/octet-stream";
  if (!isStored) return { data: content.toString("base64"), mimeType, fileName };
  const id = `filesystem:${files.size}`;
  files.set(id, content);
  return { data: "filesystem", id, mimeType, fileName };
}

export function contentOf(binary: IBinaryData | undefined): Buffer {
  if (!binary) throw new Error("there is no such binary field");
  return binary.id === undefined ? Buffer.from(binary.data, "base64") : stored(binary.id);
}

function stored(id: string): Buffer {
  const content = files.get(id);
  if (!content) throw new Error("there is no such file");
  return content;
}

/** What a trigger keeps in its workflow. */
export type StaticData = Record<string, unknown>;

/** Calls a method of a trigger as n8n does when a workflow is activated or deactivated. */
export async function callTrigger(
  execution: Execution,
  method: "checkExists" | "create" | "delete",
  { url, data }: { readonly url: string; readonly data: StaticData },
): Promise<boolean> {
  const { node, credentials } = execution;
  const context = {
    getNode: () => ({ name: node.description.displayName, type: node.description.name }),
    getCredentials: async () => credentials,
    getNodeParameter: (name: string, fallback?: unknown) => parameterOf(execution, name, fallback),
    getNodeWebhookUrl: () => url,
    getWorkflowStaticData: () => data,
    helpers: {
      httpRequestWithAuthentication: (_name: string, options: IHttpRequestOptions) =>
        send({ ...options, headers: { ...options.headers, ...authentication(execution) } }),
    },
  };
  // The part of n8n's functions that the trigger uses.
  return (await node.webhookMethods?.default[method].call(context as never)) ?? false;
}

/** The items of the node's first output. */
export async function executeNode(execution: Execution): Promise<INodeExecutionData[]> {
  const { node, items, continueOnFail = false, credentials } = execution;
  const context = {
    getInputData: () => items,
    getExecutionCancelSignal: () => execution.signal,
    getNode: () => ({ name: node.description.displayName, type: node.description.name }),
    getCredentials: async () => credentials,
    continueOnFail: () => continueOnFail,
    getNodeParameter: (name: string, _index: number, fallback?: unknown) =>
      parameterOf(execution, name, fallback),
    helpers: {
      httpRequest: send,
      httpRequestWithAuthentication: (_name: string, options: IHttpRequestOptions) =>
        send({ ...options, headers: { ...options.headers, ...authentication(execution) } }),
      assertBinaryData: (index: number, field: string) => {
        const binary = items[index]?.binary?.[field];
        if (binary) return binary;
        throw new Error(`This operation expects the node's input data to contain '${field}'.`);
      },
      getBinaryMetadata: async (id: string) => ({ fileSize: stored(id).length }),
      getBinaryStream: async (id: string) => Readable.from([stored(id)]),
      prepareBinaryData: async (data: Buffer | Readable, fileName = "", mimeType = "") => ({
        ...binaryOf(Buffer.isBuffer(data) ? data : await buffer(data), fileName),
        mimeType,
      }),
    },
  };
  // The part of n8n's functions that the node uses.
  const outputs = await node.execute?.call(context as never);
  return outputs?.[0] ?? [];
}

/** A parameter, or as in n8n the default of the field if it is shown. */
function parameterOf({ node, parameters }: Execution, name: string, fallback?: unknown): unknown {
  const shown = (property: INodeProperties) =>
    Object.entries(property.displayOptions?.show ?? {}).every(([field, values]) =>
      values.includes(resolveField(field) as string),
    );
  const resolveField = (field: string): unknown => {
    if (field in parameters) return parameters[field];
    const properties = node.description.properties.filter((one) => one.name === field);
    return properties.find(shown)?.default;
  };
  const value = resolveField(name) ?? fallback;
  if (value === undefined) throw new Error(`Could not get parameter "${name}"`);
  return value;
}

function authentication({ credential, credentials }: Execution): Record<string, string> {
  const { headers = {} } = credential.authenticate?.properties ?? {};
  const resolved = Object.entries(headers).map(([name, value]) => [
    name,
    value.replace("={{$credentials.apiKey}}", credentials.apiKey),
  ]);
  return Object.fromEntries(resolved);
}

async function send(options: IHttpRequestOptions): Promise<unknown> {
  const { url, method = "GET", qs = {}, body, headers = {}, encoding, abortSignal } = options;
  const target = new URL(url);
  for (const [name, value] of Object.entries(qs)) target.searchParams.set(name, String(value));
  const isRaw = Buffer.isBuffer(body) || body instanceof Readable;
  const response = await fetch(target, {
    method,
    headers: {
      ...(body && !isRaw ? { "Content-Type": "application/json" } : {}),
      ...(headers as Record<string, string>),
    },
    ...(abortSignal ? { signal: abortSignal } : {}),
    ...(body ? { body: isRaw ? body : JSON.stringify(body), duplex: "half" } : {}),
    // The DOM's types do not include Node's streams and `duplex`.
  } as RequestInit);
  if (!response.ok && !options.ignoreHttpStatusErrors) {
    throw new Error(`Request failed with status code ${response.status}`);
  }
  const content = encoding === "stream" ? toStream(response) : await readBody(response);
  if (!options.returnFullResponse) return content;
  const { status: statusCode } = response;
  return { statusCode, headers: Object.fromEntries(response.headers), body: content };
}

const toStream = ({ body }: Response) => Readable.fromWeb(body as ReadableStream);

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  return isJson ? JSON.parse(text) : text;
}
