import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import busboy from "busboy";
import { RequestError } from "#lib/errors.ts";
import { cleanFileName } from "#lib/net/file-name.ts";
import { showName } from "./schema-messages.ts";
import { fileTooLarge, storeUpload, type UploadedFile } from "./store-upload.ts";

/** Where the files of a request go, and what they may be. */
export interface UploadTarget {
  /** Storage key of a part: `inputs/job_…/file`. */
  readonly keyOf: (part: string) => string;
  /** Names of the parts that may be files. */
  readonly parts: readonly string[];
  /** Bytes of one file; null is unlimited. */
  readonly maxFileBytes: number | null;
}

/** Room for the form around the files. */
const maxFormBytes = 1_048_576;

const limits = { fieldNameSize: 100, fieldSize: maxFormBytes, fields: 64, files: 16, parts: 80 };

/** Streams a request's multipart `body`: files to storage, fields to memory. Order does not matter. */
export async function readMultipart(
  request: Request,
  body: Readable,
  target: UploadTarget,
): Promise<{ fields: Record<string, string>; files: Record<string, UploadedFile> }> {
  const { maxFileBytes, parts } = target;
  const declared = Number(request.headers.get("content-length"));
  if (maxFileBytes && declared > maxFileBytes * parts.length + maxFormBytes)
    throw fileTooLarge(maxFileBytes);
  const fields: Record<string, string> = Object.create(null);
  const files: Record<string, UploadedFile> = {};
  const seen = new Set<string>();
  let formBytes = 0;
  const stores: Promise<void>[] = [];
  const controller = new AbortController();
  let refusal: unknown;
  const refuse = (error: unknown) => {
    refusal ??= error;
    controller.abort();
  };

  const parser = openParser(request);
  parser.on("field", (name, value, info) => {
    // busboy's types promise a name, but an empty one comes as undefined.
    if (!name) return refuse(invalid("A form field has no name."));
    formBytes += name.length + value.length;
    if (info.nameTruncated || info.valueTruncated || formBytes > maxFormBytes) {
      const sentence = "The form's fields may have at most 1 MiB in all.";
      return refuse(new RequestError("too_large", sentence));
    }
    if (target.parts.includes(name)) {
      return refuse(invalid(`${name} must be a file part, which has a filename.`));
    }
    if (name in fields) return refuse(invalid(`${showName(name)} is in the form twice.`));
    fields[name] = value;
  });
  parser.on("file", (part, stream, info) => {
    if (!parts.includes(part) || seen.has(part)) {
      // Nobody reads it; that it breaks off with the rest is no news.
      stream.on("error", () => {}).resume();
      return refuse(invalid(`Exactly these files may be sent: ${parts.join(", ")}, each once.`));
    }
    seen.add(part);
    const hints = {
      filename: cleanFileName(unescapeName(info.filename ?? "")) || "file",
      contentType: info.mimeType,
    };
    const store = storeUpload(target.keyOf(part), stream, hints, maxFileBytes).then((file) => {
      files[part] = file;
    });
    stores.push(store.catch(refuse));
  });
  parser.on("partsLimit", () => refuse(invalid(`A form may have at most ${limits.parts} parts.`)));
  parser.on("fieldsLimit", () =>
    refuse(invalid(`A form may have at most ${limits.fields} fields.`)),
  );
  parser.on("filesLimit", () => refuse(invalid(`A form may have at most ${limits.files} files.`)));

  try {
    await pipeline(body, parser, { signal: controller.signal });
  } catch (error) {
    refusal ??=
      error instanceof RequestError
        ? error
        : invalid("The multipart body is not well formed.", error);
  }
  await Promise.all(stores);
  if (refusal) throw refusal;
  return { fields: { ...fields }, files };
}

/** Browsers escape a quote in a form's file names as %22 (HTML, multipart/form-data encoding), and nothing else of use. */
function unescapeName(name: string): string {
  return name.replaceAll("%22", '"');
}

function openParser(request: Request): busboy.Busboy {
  try {
    return busboy({
      headers: { "content-type": request.headers.get("content-type") ?? "" },
      defParamCharset: "utf8",
      limits,
    });
  } catch (cause) {
    throw invalid("The multipart body has no valid boundary.", cause);
  }
}

function invalid(sentence: string, cause?: unknown): RequestError {
  return new RequestError("invalid_request", sentence, { cause });
}
