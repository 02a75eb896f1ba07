import { z } from "zod";
import type { JobSource } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { describeTypes, type MediaTypeId } from "#lib/media/types.ts";
import { parseFetchUrl, UrlFormError } from "#lib/net/guard.ts";
import { type Operation, reservedFields } from "#lib/operations/define.ts";
import { describeIssue, type FieldSchema, inputSchema } from "./allowed.ts";
import type { RequestBody } from "./body.ts";
import type { UploadedFile } from "./store-upload.ts";

/** What a request asks of an operation, validated. */
export interface ParsedJobRequest {
  readonly params: Record<string, unknown>;
  readonly source: JobSource;
  readonly parts: Record<string, JobSource>;
  readonly webhookUrl: string | null;
  readonly metadata: Record<string, string>;
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
export function parseJobRequest(operation: Operation, body: RequestBody): ParsedJobRequest {
  const { fields, files } = body;
  const partFields = new Set(Object.keys(operation.files ?? {}).map((part) => `${part}_url`));
  const given = Object.entries(fields).filter(
    ([name]) => !(reservedFields.has(name) || partFields.has(name)),
  );
  const params = parseParams(operation, Object.fromEntries(given), body.encoding);
  for (const name of ["inputs", "file"]) {
    if (name in fields) throw invalid(`${name} is not a field of this operation.`);
  }
  const source = pickSource("input", fields.input, files.file, operation.accepts);
  if (!source) {
    const how =
      body.encoding === "json"
        ? "input: the address of the file"
        : "file, or input with its address";
    throw new RequestError("invalid_input", `There is no input; send ${how}.`);
  }
  const parts: Record<string, JobSource> = {};
  for (const [part, { accepts, required }] of Object.entries(operation.files ?? {})) {
    const found = pickSource(`${part}_url`, fields[`${part}_url`], files[part], accepts);
    if (found) parts[part] = found;
    else if (required) {
      const sentence = `${part}_url is required: the address of the file, or send the file as ${part}.`;
      throw new RequestError("invalid_input", sentence);
    }
  }
  return {
    params,
    source,
    parts,
    webhookUrl:
      fields.webhook_url === undefined ? null : parseAddress("webhook_url", fields.webhook_url),
    metadata: parseMetadata(fields.metadata, body.encoding),
  };
}

function parseParams(
  operation: Operation,
  given: Record<string, unknown>,
  encoding: RequestBody["encoding"],
): Record<string, unknown> {
  const schema = inputSchema(operation.params);
  const values = encoding === "json" ? given : fromText(given, schema);
  const parsed = operation.params.safeParse(values);
  if (!parsed.success) throw invalid(describeIssue(parsed.error, schema));
  return parsed.data;
}

/** Form fields are text: those whose schema says number or boolean are read as such. */
function fromText(fields: Record<string, unknown>, schema: FieldSchema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, readText(text, schema.properties?.[name])]),
  );
}

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function readText(text: unknown, field: FieldSchema | undefined): unknown {
  if (typeof text !== "string") return text;
  if (field?.type === "number" || field?.type === "integer") {
    return numberPattern.test(text.trim()) ? Number(text) : text;
  }
  if (field?.type === "boolean") return { true: true, false: false }[text.trim()] ?? text;
  return text;
}

function pickSource(
  name: string,
  address: unknown,
  file: UploadedFile | undefined,
  accepts: readonly MediaTypeId[],
): JobSource | undefined {
  if (address !== undefined && file) {
    const sentence = `Send either ${name} or the file, not both.`;
    throw new RequestError("invalid_input", sentence);
  }
  if (address !== undefined) return { kind: "url", url: parseAddress(name, address) };
  if (!file) return undefined;
  if (!accepts.includes(file.type.id)) {
    const what = file.type.id === "unknown" ? "of an unknown type" : file.type.label;
    throw new RequestError(
      "invalid_input",
      `The file is ${what}; this operation takes ${describeTypes(accepts)}.`,
    );
  }
  const { key, filename, type, bytes, sha256 } = file;
  return { kind: "upload", key, filename, contentType: type.mime, bytes, sha256 };
}

function parseAddress(name: string, address: unknown): string {
  if (typeof address !== "string")
    throw invalid(`${name} must be a complete http or https address.`);
  try {
    return parseFetchUrl(address).href;
  } catch (error) {
    if (!(error instanceof UrlFormError)) throw error;
    throw invalid(`${name} ${error.message}.`);
  }
}

function parseMetadata(given: unknown, encoding: RequestBody["encoding"]): Record<string, string> {
  if (given === undefined) return {};
  const parsed = metadataSchema.safeParse(encoding === "multipart" ? parseJsonText(given) : given);
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues[0]?.message ?? "";
  throw invalid(
    `metadata ${message.startsWith("must") ? message : "must be an object of text values"}.`,
  );
}

function parseJsonText(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined; // told by the schema: it is no object
  }
}

function invalid(sentence: string): RequestError {
  return new RequestError("invalid_parameter", sentence);
}
