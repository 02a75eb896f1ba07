import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import busboy from "busboy";
import { RequestError } from "#lib/errors.ts";
import { cleanFileName } from "#lib/net/file-name.ts";
import { showName } from "./schema-messages.ts";
import { fileTooLarge, storeUpload, type UploadedFile } from "./store-upload.ts";

/** Where the files of a form are stored, and which files it may have. */
export interface UploadTarget {
  /** The storage key of a part: `inputs/job_…/file`. */
  readonly keyOf: (part: string) => string;
  /** Names of the parts that may be files. */
  readonly parts: readonly string[];
  /** Bytes of one file; null is unlimited. */
  readonly maxFileBytes: number | null;
}

/** The size limit of the form without its files. */
const maxFormBytes = 1_048_576;

/** Bytes of a file that may wait in memory for storage. */
const bufferBytes = 1024 ** 2;

const limits = { fieldNameSize: 100, fieldSize: maxFormBytes, fields: 64, files: 16, parts: 80 };

export interface MultipartForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, UploadedFile>>;
}

/** Streams a request's multipart `body`: files to storage, fields to memory, in any order. */
export async function readMultipart(
  request: Request,
  body: Readable,
  target: UploadTarget,
): Promise<MultipartForm> {
  const { maxFileBytes, parts } = target;
  const declared = Number(request.headers.get("content-length"));
  if (maxFileBytes && declared > maxFileBytes * parts.length + maxFormBytes) {
    throw fileTooLarge(maxFileBytes);
  }
  const fields: Record<string, string> = Object.create(null);
  const files: Record<string, UploadedFile> = {};
  const seen = new Set<string>();
  let formBytes = 0;
  const stores: Promise<void>[] = [];
  const controller = new AbortController();
  let failure: unknown;
  const fail = (error: unknown) => {
    failure ??= error;
    controller.abort();
  };

  const parser = openParser(request);
  parser.on("field", (name, value, info) => {
    // busboy's types promise a name, but an empty one is undefined.
    if (!name) return fail(invalid("A form field has no name."));
    formBytes += name.length + value.length;
    if (info.nameTruncated || info.valueTruncated || formBytes > maxFormBytes) {
      const message = "The fields of the form must have at most 1 MiB in total.";
      return fail(new RequestError("too_large", message));
    }
    if (parts.includes(name)) {
      return fail(invalid(`\`${name}\` must be a file: a part with a filename.`));
    }
    if (name in fields) return fail(invalid(`${showName(name)} must be in the form only once.`));
    fields[name] = value;
  });
  parser.on("file", (part, stream, info) => {
    if (!parts.includes(part) || seen.has(part)) {
      // Discards the part. The stream fails when the parser is aborted.
      stream.on("error", () => {}).resume();
      const allowed = parts.map((one) => `\`${one}\``).join(", ");
      return fail(invalid(`The form has an unexpected file. Allowed, once each: ${allowed}.`));
    }
    seen.add(part);
    const hints = {
      filename: cleanFileName(unescapeName(info.filename ?? "")) || "file",
      contentType: info.mimeType,
    };
    const store = storeUpload(target.keyOf(part), stream, hints, maxFileBytes).then((file) => {
      files[part] = file;
    });
    stores.push(store.catch(fail));
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
  }
  await Promise.all(stores);
  if (failure) throw failure;
  return { fields: { ...fields }, files };
}

/** Browsers escape a quote in a file name as `%22` (HTML, multipart/form-data encoding). */
function unescapeName(name: string): string {
  return name.replaceAll("%22", '"');
}

function openParser(request: Request): busboy.Busboy {
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
