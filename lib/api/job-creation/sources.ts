import { parseFileReference } from "#lib/connections/file-reference.ts";
import { findReadFault } from "#lib/connections/use-connection.ts";
import type { UploadRow } from "#lib/db/queries/files/uploads.ts";
import type { JobSource, NoSource, StoredSource, UrlSource } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { connectionFile } from "#lib/fetch-url.ts";
import { copyUploadToJob, findReceivedUpload } from "#lib/jobs/accept/uploads.ts";
import { inputPart } from "#lib/jobs/sources.ts";
import { describeTypes, type MediaTypeId, mediaType, mediaTypesOfMime } from "#lib/media/types.ts";
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
  readonly source: RequestedFile | NoSource;
  /** Files in addition to the main one, by part, with further inputs as `inputPart` names them. */
  readonly parts: Readonly<Record<string, RequestedFile>>;
}

/** Names of the file parts of an operation, the main one first. */
export function filePartNames({ inputs, files = {} }: Operation): string[] {
  return [...(inputs.max > 0 ? ["file"] : []), ...Object.keys(files)];
}

/** The files of `input` or `inputs`: as many as the operation takes. */
export async function parseInputs(
  operation: Operation,
  body: RequestBody,
  accountId: string,
): Promise<RequestedFiles> {
  const { max } = operation.inputs;
  if (max === 1) return { source: await parseInput(operation, body, accountId), parts: {} };
  if (max === 0) {
    const name = ["input", "inputs"].find((one) => one in body.fields);
    if (name) throw invalidInput(`This operation takes no file. Remove \`${name}\`.`);
    return { source: { kind: "none" }, parts: {} };
  }
  const parts: Record<string, RequestedFile> = {};
  for (const [index, given] of listInputs(operation, body).entries()) {
    const name = body.encoding === "json" ? `inputs[${index}]` : "input";
    const field = { name, part: "file", accepts: operation.accepts, operation: operation.id };
    const [text, upload] = isUploadedFile(given) ? [undefined, given] : [given, undefined];
    const found = await nameInput(index, () => parseFile(field, text, upload, accountId));
    if (found) parts[inputPart(index)] = found;
  }
  const { file: source, ...others } = parts;
  if (!source) throw new Error("an input is missing");
  return { source, parts: others };
}

/** Adds the number of the input, counted from 1, to errors of `parse`. */
async function nameInput<Value>(index: number, parse: () => Promise<Value>): Promise<Value> {
  try {
    return await parse();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new RequestError(error.code, `Input ${index + 1}: ${error.message}`);
  }
}

/** What a request has as inputs, in order: URLs and ids of uploads as they are, and stored files. */
function listInputs(
  { inputs: { min, max } }: Operation,
  { encoding, fields, inputs: formInputs }: RequestBody,
): readonly unknown[] {
  const count = min === max ? `${min}` : `${min} to ${max}`;
  const isForm = encoding === "multipart";
  if (isForm && "inputs" in fields) {
    throw invalidInput("In a form, repeat `file` for files and `input` for URLs, in order.");
  }
  if (!isForm && "input" in fields) {
    throw invalidInput(`Send \`inputs\`, a list of ${count} files, instead of \`input\`.`);
  }
  const given = isForm ? formInputs : fields.inputs;
  if (!Array.isArray(given) || given.length < min || given.length > max) {
    const message = isForm
      ? `The form must have ${count} files: repeat \`file\`, or \`input\` for URLs, in order.`
      : `\`inputs\` must be a list of ${count} URLs, ids of uploads or files in connections.`;
    throw invalidInput(message);
  }
  return given;
}

function isUploadedFile(given: unknown): given is UploadedFile {
  return typeof given === "object" && given !== null && "key" in given && "sha256" in given;
}

function invalidInput(message: string): RequestError {
  return new RequestError("invalid_input", message);
}

/** The main file, by URL, by upload or as a part. `operation` is the one that reads it. */
export async function parseInput(
  operation: Operation,
  { fields, files, encoding }: RequestBody,
  accountId: string,
): Promise<RequestedFile> {
  if ("inputs" in fields) {
    throw new RequestError(
      "invalid_parameter",
      "`inputs` is not a parameter. Send one file as `input`.",
    );
  }
  const { accepts, id } = operation;
  const field = { name: "input", part: "file", accepts, operation: id };
  const source = await parseFile(field, fields.input, files.file, accountId);
  if (source) return source;
  const message =
    encoding === "json"
      ? "`input` is required: the URL of the file."
      : "`file` is required: send the file, or its URL as `input`.";
  throw invalidInput(message);
}

/** The files in addition to the inputs, by part. */
export async function parseParts(
  operation: Operation,
  fields: RequestBody["fields"],
  files: RequestBody["files"],
  accountId: string,
): Promise<Record<string, RequestedFile>> {
  const parts: Record<string, RequestedFile> = {};
  for (const [part, { accepts, required }] of Object.entries(operation.files ?? {})) {
    const name = `${part}_url`;
    const field = { name, part, accepts, operation: operation.id };
    const found = await parseFile(field, fields[name], files[part], accountId);
    if (found) parts[part] = found;
    else if (required) {
      const message = `\`${name}\` is required: the URL of the file. You can also send the file as \`${part}\`.`;
      throw invalidInput(message);
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
): Promise<{ source: JobSource | NoSource; parts: Record<string, JobSource> }> {
  const copy = async (part: string, file: RequestedFile) =>
    file.kind === "upload" ? copyUploadToJob(file.upload, keyOf(part)) : file;
  const copied: Record<string, JobSource> = {};
  for (const [part, file] of Object.entries(parts)) copied[part] = await copy(part, file);
  if (source.kind === "none") return { source, parts: copied };
  return { source: await copy("file", source), parts: copied };
}

/** The types that a file may have: any that its operation accepts if it is a URL. */
export function typesOf(
  source: RequestedFile,
  accepts: readonly MediaTypeId[],
): readonly MediaTypeId[] {
  if (source.kind === "url") return accepts;
  const isStored = source.kind === "stored";
  return mediaTypesOfMime(
    isStored ? source.contentType : mediaType(source.upload.type ?? "unknown").mime,
  );
}

const uploadPattern = /^upload_[0-9A-Za-z]{24}$/;

/** A field of a request that names a file. */
interface FileField {
  readonly name: string;
  readonly part: string;
  readonly accepts: readonly MediaTypeId[];
  /** The id of the operation that reads it. */
  readonly operation: string;
}

/** What a field can name instead of a URL. */
const otherFiles = ", the id of an upload, or a file in a connection: `conn_…:folder/file.mp4`";

async function parseFile(
  { name, part, accepts, operation }: FileField,
  given: unknown,
  file: UploadedFile | undefined,
  accountId: string,
): Promise<RequestedFile | undefined> {
  if (given !== undefined && file) {
    const message = `Send either \`${name}\` or the file \`${part}\`, not both.`;
    throw invalidInput(message);
  }
  if (typeof given === "string" && uploadPattern.test(given)) {
    const upload = await findReceivedUpload(accountId, given);
    if (!upload) {
      const message = `\`${name}\` must be the id of an upload that exists and is complete.`;
      throw new RequestError("invalid_parameter", message);
    }
    requireAcceptedType(upload.type ?? "unknown", accepts, name);
    return { kind: "upload", upload };
  }
  if (typeof given === "string" && connectionFile.test(given)) {
    return { kind: "url", url: await parseConnectionFile({ name, operation }, given, accountId) };
  }
  if (given !== undefined) {
    return { kind: "url", url: parseUrl(name, given, otherFiles) };
  }
  if (!file) return undefined;
  requireAcceptedType(file.type.id, accepts, part);
  const { key, filename, type, bytes, sha256 } = file;
  return { kind: "stored", key, filename, contentType: type.mime, bytes, sha256 };
}

/** A file in a connection of the account: `conn_…:folder/file.mp4`. Throws `invalid_parameter`. */
async function parseConnectionFile(
  { name, operation }: Pick<FileField, "name" | "operation">,
  given: string,
  accountId: string,
): Promise<string> {
  const { connectionId = "", path = "" } = parseFileReference(given) ?? {};
  const use = { accountId, connectionId, operations: [operation], access: "read" } as const;
  const fault = await findReadFault(name, use, path);
  if (fault) throw new RequestError("invalid_parameter", fault);
  return given;
}

function requireAcceptedType(id: MediaTypeId, accepts: readonly MediaTypeId[], name: string): void {
  if (acceptsType({ accepts }, id)) return;
  const type = id === "unknown" ? "of an unknown type" : mediaType(id).label;
  const message = `\`${name}\` must be ${describeTypes(accepts)}. The file is ${type}.`;
  throw invalidInput(message);
}
