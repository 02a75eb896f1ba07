import { z } from "zod";
import type { JobSource } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { findReceivedUpload, takeUpload } from "#lib/jobs/accept/uploads.ts";
import { describeTypes, type MediaTypeId, mediaType } from "#lib/media/types.ts";
import { parseFetchUrl, UrlFormError } from "#lib/net/guard.ts";
import { type Operation, reservedFields } from "#lib/operations/define.ts";
import type { RequestBody } from "./http/body.ts";
import { parseJsonText } from "./http/json-text.ts";
import type { UploadedFile } from "./http/store-upload.ts";
import { parseParams } from "./parameters.ts";

/** What a request asks of an operation, validated. */
export interface ParsedJobRequest {
  readonly params: Record<string, unknown>;
  readonly source: JobSource;
  readonly parts: Record<string, JobSource>;
  readonly webhookUrl: string | null;
  readonly metadata: Record<string, string>;
}

/** Whose request it is, for which job, and where an upload that it names is to be kept. */
export interface RequestScope {
  readonly accountId: string;
  readonly jobId: string;
  readonly keyOf: (part: string) => string;
}

const storedText = (max: number) =>
  z
    .string()
    .max(max, `must have values of at most ${max} characters`)
    .refine(
      (text) => text.isWellFormed() && !text.includes("\0"),
      "must be valid text without NUL",
    );

/** The client's own notes on a job. */
export const metadataSchema = z
  .record(storedText(500), storedText(500), "must be an object of text values")
  .refine((values) => Object.keys(values).length <= 16, "must have at most 16 values")
  .describe(
    "Your own notes, at most 16 text values of 500 characters; handed back on the job and in the webhook.",
  );

/** Names of the file parts that an operation takes in multipart, the main one first. */
export function filePartNames(operation: Operation): string[] {
  return ["file", ...Object.keys(operation.files ?? {})];
}

/** Validates the fields and files of a request. Throws one sentence that names the field and what is allowed. */
export async function parseJobRequest(
  operation: Operation,
  body: RequestBody,
  scope: RequestScope,
): Promise<ParsedJobRequest> {
  const partFields = new Set(Object.keys(operation.files ?? {}).map((part) => `${part}_url`));
  const given = Object.entries(body.fields).filter(
    ([name]) => !(reservedFields.has(name) || partFields.has(name)),
  );
  const params = parseParams(operation, Object.fromEntries(given), body.encoding);
  const common = parseCommon(body);
  return {
    params,
    parts: await parseParts(operation, body.fields, body.files, scope),
    source: await parseInput(operation, body, scope),
    ...common,
  };
}

/** The fields that every job has. */
export function parseCommon(body: RequestBody): Pick<ParsedJobRequest, "webhookUrl" | "metadata"> {
  const { fields, encoding } = body;
  if ("inputs" in fields) throw invalid("inputs is not a field of this request; send one input.");
  if ("file" in fields) {
    throw invalid(
      "file is a part of multipart/form-data; send the file so, or its address as input.",
    );
  }
  const { webhook_url: webhook, metadata } = fields;
  return {
    webhookUrl: webhook === undefined ? null : parseAddress("webhook_url", webhook),
    metadata: parseMetadata(metadata, encoding),
  };
}

/** The main file, by address, by upload or as a part; `operation` is the one that reads it. */
export async function parseInput(
  operation: Operation,
  { fields, files, encoding }: RequestBody,
  scope: RequestScope,
): Promise<JobSource> {
  const wanted = { name: "input", part: "file", accepts: operation.accepts };
  const source = await pickSource(wanted, fields.input, files.file, scope);
  if (source) return source;
  const how =
    encoding === "json" ? "input: the address of the file" : "file, or input with its address";
  throw new RequestError("invalid_input", `There is no input; send ${how}.`);
}

/** The files beside the main one, by part. */
export async function parseParts(
  operation: Operation,
  fields: RequestBody["fields"],
  files: RequestBody["files"],
  scope: RequestScope,
): Promise<Record<string, JobSource>> {
  const parts: Record<string, JobSource> = {};
  for (const [part, { accepts, required }] of Object.entries(operation.files ?? {})) {
    const name = `${part}_url`;
    const found = await pickSource({ name, part, accepts }, fields[name], files[part], scope);
    if (found) parts[part] = found;
    else if (required) {
      const sentence = `${name} is required: the address of the file, or send the file as ${part}.`;
      throw new RequestError("invalid_input", sentence);
    }
  }
  return parts;
}

const uploadPattern = /^upload_[0-9A-Za-z]{24}$/;

async function pickSource(
  { name, part, accepts }: { name: string; part: string; accepts: readonly MediaTypeId[] },
  address: unknown,
  file: UploadedFile | undefined,
  scope: RequestScope,
): Promise<JobSource | undefined> {
  if (address !== undefined && file) {
    throw new RequestError("invalid_input", `Send either ${name} or the file, not both.`);
  }
  if (typeof address === "string" && uploadPattern.test(address)) {
    const upload = await findReceivedUpload(scope.accountId, address);
    if (!upload) throw invalid(`${name} names an upload that does not exist or has not arrived.`);
    requireAccepted(upload.type ?? "unknown", accepts, part);
    return takeUpload(upload, scope.jobId, scope.keyOf(part));
  }
  if (address !== undefined) {
    return { kind: "url", url: parseAddress(name, address, " or the id of an upload") };
  }
  if (!file) return undefined;
  requireAccepted(file.type.id, accepts, part);
  const { key, filename, type, bytes, sha256 } = file;
  return { kind: "upload", key, filename, contentType: type.mime, bytes, sha256 };
}

function requireAccepted(id: MediaTypeId, accepts: readonly MediaTypeId[], part: string): void {
  if (accepts.includes(id)) return;
  const what = id === "unknown" ? "of an unknown type" : mediaType(id).label;
  const taken = part === "file" ? "this operation takes" : "it must be";
  const sentence = `The ${part} is ${what}; ${taken} ${describeTypes(accepts)}.`;
  throw new RequestError("invalid_input", sentence);
}

const notAddress = "must be a complete http or https address";

/** An address in its right form. Throws one sentence that names the field, and what else it may be. */
export function parseAddress(name: string, address: unknown, orElse = ""): string {
  if (typeof address !== "string") throw invalid(`${name} ${notAddress}${orElse}.`);
  try {
    return parseFetchUrl(address).href;
  } catch (error) {
    if (!(error instanceof UrlFormError)) throw error;
    throw invalid(`${name} ${error.message}${error.message === notAddress ? orElse : ""}.`);
  }
}

function parseMetadata(given: unknown, encoding: RequestBody["encoding"]): Record<string, string> {
  if (given === undefined) return {};
  const parsed = metadataSchema.safeParse(encoding === "multipart" ? parseFormJson(given) : given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === "invalid_key") {
    throw invalid("metadata must have names of at most 500 characters of valid text.");
  }
  const message = issue?.message ?? "";
  throw invalid(
    `metadata ${message.startsWith("must") ? message : "must be an object of text values"}.`,
  );
}

/** JSON in a form field; undefined where it is none, which the field's schema tells. */
export function parseFormJson(text: unknown): unknown {
  try {
    return parseJsonText(String(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function invalid(sentence: string): RequestError {
  return new RequestError("invalid_parameter", sentence);
}
