import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import busboy from "busboy";
import type { RequestFile } from "#lib/db/schema/dashboard/api-requests.ts";
import { RequestError } from "#lib/errors.ts";
import { inputPart } from "#lib/jobs/sources.ts";
import { cleanFileName } from "#lib/net/file-name.ts";
import type { FileLimit } from "#lib/plans.ts";
import { didYouMean, suggest } from "#lib/typos/suggest.ts";
import { bodyTimeoutMessage } from "./incoming-message.ts";
import { showName } from "./schema-messages.ts";
import { EmptyFileError, fileTooLarge, storeUpload, type UploadedFile } from "./store-upload.ts";

/** Where the files of a form are stored, and which files it may have. */
export interface UploadTarget {
  /** The storage key of a part: `inputs/job_…/file`. */
  readonly keyOf: (part: string) => string;
  /** Names of the parts that may be files. */
  readonly parts: readonly string[];
  /**
   * How many inputs the form may have. If more than one, `file` and `input` can be repeated, and
   * `keyOf` gets `file`, `file-2`, `file-3` and so on.
   */
  readonly maxInputs: number;
  /** Names of other fields that the form may have several times. */
  readonly repeatable: readonly string[];
  /** The maximum size of one file; null is unlimited. */
  readonly fileLimit: FileLimit | null;
}

/** The size limit of the form without its files. */
const maxFormBytes = 1_048_576;

/** How long a form may take before its first file, in milliseconds: as long as a body without files. */
const maxFieldsMs = 30_000;

/** The bytes of a file that may wait in memory for storage. */
const bufferBytes = 1024 ** 2;

/** Limits of busboy for a form with `maxInputs` inputs. */
function limitsFor(maxInputs: number) {
  const fields = 64 + maxInputs;
  const files = 16 + maxInputs;
  return { fieldNameSize: 100, fieldSize: maxFormBytes, fields, files, parts: fields + files };
}

export interface MultipartForm {
  /** A list if the form has the field several times. */
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  readonly files: Readonly<Record<string, UploadedFile>>;
  /** The files named `file` and the fields named `input` in order, if there may be several. */
  readonly inputs: readonly (UploadedFile | string)[];
}

/** A file of a form, while it is received. */
type ReceivedFile = { -readonly [Name in keyof RequestFile]: RequestFile[Name] };

/**
 * Streams a request's multipart `body`: files to storage, fields to memory, in any order. `onStart` gets what is
 * filled while the form is received, so that a rejected form can be shown too.
 */
export async function readMultipart(
  request: Request,
  body: Readable,
  target: UploadTarget,
  onStart: (
    fields: Readonly<Record<string, unknown>>,
    files: readonly RequestFile[],
  ) => void = () => {},
): Promise<MultipartForm> {
  const { fileLimit, maxInputs, parts, repeatable } = target;
  const hasSeveral = maxInputs > 1;
  const limits = limitsFor(maxInputs);
  const declared = Number(request.headers.get("content-length"));
  if (
    fileLimit &&
    declared > fileLimit.bytes * (parts.length + Math.max(0, maxInputs - 1)) + maxFormBytes
  ) {
    throw fileTooLarge(fileLimit);
  }
  const fields: Record<string, string | string[]> = Object.create(null);
  const files: Record<string, UploadedFile> = {};
  const inputs: (UploadedFile | string)[] = [];
  const seen = new Set<string>();
  const received: ReceivedFile[] = [];
  onStart(fields, received);
  let formBytes = 0;
  const stores: Promise<void>[] = [];
  const controller = new AbortController();
  let failure: unknown;
  const fail = (error: unknown) => {
    failure ??= error;
    controller.abort();
  };

  const parser = openParser(request, limits);
  const timer = setTimeout(() => {
    const headers = { Connection: "close" };
    fail(new RequestError("request_timeout", bodyTimeoutMessage, { headers }));
  }, maxFieldsMs);
  parser.on("field", (name, value, info) => {
    // busboy's types promise a name, but an empty one is undefined.
    if (!name) return fail(invalid("A form field has no name."));
    formBytes += name.length + value.length;
    if (info.nameTruncated || info.valueTruncated || formBytes > maxFormBytes) {
      const message = "The fields of the form must have at most 1 MiB in total.";
      return fail(new RequestError("too_large", message));
    }
    if (hasSeveral && name === "input" && inputs.length < maxInputs) {
      inputs.push(value);
      return;
    }
    if (parts.includes(name)) {
      return fail(invalid(`\`${name}\` must be a file: a part with a filename.`));
    }
    const given = fields[name];
    if (given !== undefined && !repeatable.includes(name)) {
      return fail(invalid(`${showName(name)} must be in the form only once.`));
    }
    fields[name] = given === undefined ? value : [given, value].flat();
  });
  parser.on("file", (part, stream, info) => {
    clearTimeout(timer);
    // Comes from the chunk in which the form failed. A parser that was aborted never ends the stream.
    if (controller.signal.aborted) return stream.destroy();
    const isInput = hasSeveral && part === "file";
    const isExpected = isInput ? inputs.length < maxInputs : !seen.has(part);
    if (!parts.includes(part) || !isExpected) {
      // Discards the part. The stream fails when the parser is aborted.
      stream.on("error", () => {}).resume();
      if (isInput) return fail(invalid(`The form must have at most ${maxInputs} inputs.`));
      const allowed = parts.map((one) => `\`${one}\``).join(", ");
      const problem = seen.has(part)
        ? "The form has an unexpected file."
        : `${showName(part)} is not a file of this request.${didYouMean(suggest(part, parts))}`;
      return fail(invalid(`${problem} Allowed, once each: ${allowed}.`));
    }
    seen.add(part);
    const hints = {
      filename: cleanFileName(unescapeName(info.filename ?? "")) || "file",
      contentType: info.mimeType,
    };
    const current: ReceivedFile = { field: part, filename: hints.filename, bytes: null };
    received.push(current);
    const index = inputs.length;
    // Keeps the place among the inputs until the file is stored.
    if (isInput) inputs.push("");
    const name = isInput ? inputPart(index) : part;
    const store = storeUpload(target.keyOf(name), stream, hints, fileLimit).then((file) => {
      current.bytes = file.bytes;
      if (isInput) inputs[index] = file;
      else files[part] = file;
    });
    stores.push(
      store.catch((error: unknown) => {
        const isNamed = error instanceof EmptyFileError && (isInput || part !== "file");
        fail(isNamed ? emptyFile(isInput ? index : part) : error);
      }),
    );
  });
  for (const kind of ["parts", "fields", "files"] as const) {
    const message = `The form must have at most ${limits[kind]} ${kind}.`;
    parser.on(`${kind}Limit`, () => fail(invalid(message)));
  }

  try {
    await pipeline(body, parser, { signal: controller.signal });
  } catch (error) {
    failure ??=
      error instanceof RequestError ? error : invalid("The multipart body is malformed.", error);
  } finally {
    clearTimeout(timer);
  }
  await Promise.all(stores);
  if (failure) throw failure;
  return { fields: { ...fields }, files, inputs };
}

/** The error for an empty file of several: an input, by its index, or another part. */
function emptyFile(which: number | string): EmptyFileError {
  const isInput = typeof which === "number";
  return new EmptyFileError(
    isInput ? `Input ${which + 1}: the file is empty.` : `The file \`${which}\` is empty.`,
  );
}

/** Browsers escape a quote in a file name as `%22` (HTML, multipart/form-data encoding). */
function unescapeName(name: string): string {
  return name.replaceAll("%22", '"');
}

function openParser(request: Request, limits: busboy.Limits): busboy.Busboy {
  try {
    return busboy({
      headers: { "content-type": request.headers.get("content-type") ?? "" },
      defParamCharset: "utf8",
      highWaterMark: bufferBytes,
      fileHwm: bufferBytes,
      limits,
    });
  } catch (cause) {
    throw invalid("The multipart body has no valid boundary.", cause);
  }
}

function invalid(message: string, cause?: unknown): RequestError {
  return new RequestError("invalid_request", message, { cause });
}
