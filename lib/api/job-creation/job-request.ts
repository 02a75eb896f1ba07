import { RequestError } from "#lib/errors.ts";
import { metadataSchema } from "#lib/jobs/metadata.ts";
import type { ExportTarget } from "#lib/jobs/secrets.ts";
import { type Operation, reservedFields } from "#lib/operations/define.ts";
import type { RequestBody } from "../http/body.ts";
import { parseWebhookUrl } from "../http/url-field.ts";
import { parseTarget, requireUsableTarget } from "./export-target.ts";
import {
  fileFields,
  parseParams,
  requireFewFields,
  requireFileChoice,
  requireFormJson,
} from "./parse-params.ts";
import { parseInputs, parseParts, type RequestedFiles, typesOf } from "./sources.ts";

/** The fields that every job-creating request has. */
interface CommonFields {
  readonly webhookUrl: string | null;
  readonly metadata: Record<string, string>;
  /** Where the outputs are sent; null if they stay here. */
  readonly target: ExportTarget | null;
}

/** A valid request for a job. Its uploads are not copied yet. */
export interface ParsedJobRequest extends RequestedFiles, CommonFields {
  readonly params: Record<string, unknown>;
}

/**
 * Validates the fields and files of a request for one operation. Nothing is copied. Throws an error
 * whose message has the field and its allowed values.
 */
export async function parseJobRequest(
  operation: Operation,
  body: RequestBody,
  accountId: string,
): Promise<ParsedJobRequest> {
  const partFields = new Set(fileFields(operation));
  const given = Object.entries(body.fields).filter(
    ([name]) => !(reservedFields.has(name) || partFields.has(name)),
  );
  const params = parseParams(operation, Object.fromEntries(given), body.encoding);
  const common = await parseCommonFields(body, accountId, [operation.id]);
  const files = await parseFiles(operation, body, accountId);
  requireFileChoice(operation, params, files.parts);
  requireProcessable(operation, params, files.source);
  return { params, ...common, ...files };
}

/** Throws if the file has one type, and the operation rejects it with these parameters. */
function requireProcessable(
  { rejects, accepts }: Operation,
  params: Record<string, unknown>,
  source: RequestedFiles["source"],
): void {
  if (!rejects || source.kind === "none" || source.kind === "url") return;
  const messages = typesOf(source, accepts)
    .filter((type) => accepts.includes(type))
    .map((type) => rejects(type, params, 0));
  const [message] = messages;
  if (message && messages.every((one) => one !== undefined)) throw invalid(message);
}

async function parseFiles(
  operation: Operation,
  body: RequestBody,
  accountId: string,
): Promise<RequestedFiles> {
  const parts = await parseParts(operation, body.fields, body.files, accountId);
  const inputs = await parseInputs(operation, body, accountId);
  return { source: inputs.source, parts: { ...inputs.parts, ...parts } };
}

/** The fields of a request for a job of these operations. Throws `invalid_parameter`. */
export async function parseCommonFields(
  { fields, encoding }: RequestBody,
  accountId: string,
  operations: readonly string[],
): Promise<CommonFields> {
  if ("file" in fields) {
    throw invalid(
      "`file` must be a part of multipart/form-data. In JSON, send its URL as `input`.",
    );
  }
  const { webhook_url: webhook, metadata, output, keep } = fields;
  const target = parseTarget(output, keep, encoding);
  await requireUsableTarget(target, accountId, operations);
  return {
    target,
    webhookUrl:
      webhook === undefined ? null : await parseWebhookUrl("webhook_url", webhook, accountId),
    metadata: parseMetadata(metadata, encoding),
  };
}

function parseMetadata(given: unknown, encoding: RequestBody["encoding"]): Record<string, string> {
  if (given === undefined) return {};
  const isForm = encoding === "multipart";
  const values = isForm ? requireFormJson("metadata", given, "an object of text values") : given;
  requireFewFields(values, "metadata");
  const parsed = metadataSchema.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === "invalid_key") {
    throw invalid("`metadata` must have names of at most 500 characters of valid text.");
  }
  const message = issue?.message ?? "";
  const isOwn = message.startsWith("must");
  throw invalid(`\`metadata\` ${isOwn ? message : "must be an object of text values"}.`);
}

function invalid(message: string): RequestError {
  return new RequestError("invalid_parameter", message);
}
