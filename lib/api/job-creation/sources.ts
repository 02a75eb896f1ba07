import type { UploadRow } from "#lib/db/queries/files/uploads.ts";
import type { JobSource, StoredSource, UrlSource } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { copyUploadToJob, findReceivedUpload } from "#lib/jobs/accept/uploads.ts";
import { describeTypes, type MediaTypeId, mediaType } from "#lib/media/types.ts";
import { acceptsType, type Operation } from "#lib/operations/define.ts";
import type { RequestBody } from "../http/body.ts";
import type { UploadedFile } from "../http/store-upload.ts";
import { parseUrl } from "../http/url-field.ts";

/** An upload that a request names as a file. It is copied once the whole request is valid. */
interface NamedUpload {
  readonly kind: "upload";
  readonly upload: UploadRow;
}

/** A file of a valid request. */
export type RequestedFile = StoredSource | UrlSource | NamedUpload;

/** The files of a valid request. */
export interface RequestedFiles {
  readonly source: RequestedFile;
  /** Files in addition to the main one, by part. */
  readonly parts: Readonly<Record<string, RequestedFile>>;
}

/** Names of the file parts of an operation, the main one first. */
export function filePartNames(operation: Operation): string[] {
  return ["file", ...Object.keys(operation.files ?? {})];
}

/** The main file, by URL, by upload or as a part. `operation` is the one that reads it. */
export async function parseInput(
  operation: Operation,
  { fields, files, encoding }: RequestBody,
  accountId: string,
): Promise<RequestedFile> {
  const field = { name: "input", part: "file", accepts: operation.accepts };
  const source = await parseFile(field, fields.input, files.file, accountId);
  if (source) return source;
  const message =
    encoding === "json"
      ? "`input` is required: the URL of the file."
      : "`file` is required: send the file, or its URL as `input`.";
  throw new RequestError("invalid_input", message);
}

/** The files in addition to the main one, by part. */
export async function parseParts(
  operation: Operation,
  fields: RequestBody["fields"],
  files: RequestBody["files"],
  accountId: string,
): Promise<Record<string, RequestedFile>> {
  const parts: Record<string, RequestedFile> = {};
  for (const [part, { accepts, required }] of Object.entries(operation.files ?? {})) {
    const name = `${part}_url`;
    const found = await parseFile({ name, part, accepts }, fields[name], files[part], accountId);
    if (found) parts[part] = found;
    else if (required) {
      const message = `\`${name}\` is required: the URL of the file. You can also send the file as \`${part}\`.`;
      throw new RequestError("invalid_input", message);
    }
  }
  return parts;
}

/** Whether any file is an upload, which `copyUploads` copies. */
export function hasUploads({ source, parts }: RequestedFiles): boolean {
  return [source, ...Object.values(parts)].some(({ kind }) => kind === "upload");
}

/** Copies the named uploads to the job's own storage keys. */
export async function copyUploads(
  { source, parts }: RequestedFiles,
  keyOf: (part: string) => string,
): Promise<{ source: JobSource; parts: Record<string, JobSource> }> {
  const copy = async (part: string, file: RequestedFile) =>
    file.kind === "upload" ? copyUploadToJob(file.upload, keyOf(part)) : file;
  const copied: Record<string, JobSource> = {};
  for (const [part, file] of Object.entries(parts)) copied[part] = await copy(part, file);
  return { source: await copy("file", source), parts: copied };
}

const uploadPattern = /^upload_[0-9A-Za-z]{24}$/;

async function parseFile(
  { name, part, accepts }: { name: string; part: string; accepts: readonly MediaTypeId[] },
  given: unknown,
  file: UploadedFile | undefined,
  accountId: string,
): Promise<RequestedFile | undefined> {
  if (given !== undefined && file) {
    const message = `Send either \`${name}\` or the file \`${part}\`, not both.`;
    throw new RequestError("invalid_input", message);
  }
  if (typeof given === "string" && uploadPattern.test(given)) {
    const upload = await findReceivedUpload(accountId, given);
    if (!upload) {
      const message = `\`${name}\` must be the id of an upload that exists and is complete.`;
      throw new RequestError("invalid_parameter", message);
    }
    requireAcceptedType(upload.type ?? "unknown", accepts, part);
    return { kind: "upload", upload };
  }
  if (given !== undefined) {
    return { kind: "url", url: parseUrl(name, given, " or the id of an upload") };
  }
  if (!file) return undefined;
  requireAcceptedType(file.type.id, accepts, part);
  const { key, filename, type, bytes, sha256 } = file;
  return { kind: "stored", key, filename, contentType: type.mime, bytes, sha256 };
}

function requireAcceptedType(id: MediaTypeId, accepts: readonly MediaTypeId[], part: string): void {
  if (acceptsType({ accepts }, id)) return;
  const type = id === "unknown" ? "of an unknown type" : mediaType(id).label;
  const message = `\`${part}\` must be ${describeTypes(accepts)}. The file is ${type}.`;
  throw new RequestError("invalid_input", message);
}
