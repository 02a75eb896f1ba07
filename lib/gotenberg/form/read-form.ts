import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import busboy from "busboy";
import { bodyStream } from "#lib/api/http/body.ts";
import { receiveUpload } from "#lib/api/http/slots/upload-slots.ts";
import { storeUpload } from "#lib/api/http/store-upload.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { RequestError } from "#lib/errors.ts";
import { fileLimitOf, plans } from "#lib/plans.ts";
import { storage } from "#lib/storage/index.ts";
import { bodyTooLarge, GotenbergError } from "../base/errors.ts";
import { addFile, type FormContent, type FormFile } from "./form.ts";

/** The most bytes of all fields of a form without its files, as in forms of the API. */
const maxFieldBytes = 2 ** 20;

/** The most bytes of a file that is read as text, such as a header. */
const maxTextBytes = 4 * 2 ** 20;

/** More than any form of Gotenberg needs. */
const maxParts = 1000;

const bufferBytes = 2 ** 20;

/** A page may have an empty style sheet. What must not be empty is checked where it is used. */
export const emptyFiles = { mayBeEmpty: true } as const;

export interface FormTarget {
  readonly account: Pick<Account, "id" | "plan">;
  /** The storage key of the file with a number, from 0. */
  readonly keyOf: (number: number) => string;
  /** The most bytes of the whole form; undefined for no limit but that of the plan. */
  readonly maxBytes: number | undefined;
}

/** A form while it is received. */
export interface ReceivedForm extends FormContent {
  readonly values: Map<string, string[]>;
  readonly files: Map<string, FormFile>;
}

/** Streams the files of a form to storage, in any order. Throws `GotenbergError` and `RequestError`. */
export async function readForm(request: Request, target: FormTarget): Promise<ReceivedForm> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\b/i.test(type)) {
    throw new GotenbergError(
      415,
      "Invalid 'Content-Type' header value: want 'multipart/form-data'",
    );
  }
  if (!/boundary=/i.test(type)) {
    throw new GotenbergError(415, "Invalid 'Content-Type' header value: no boundary");
  }
  return receiveUpload(target.account.id, () => receive(request, target));
}

async function receive(request: Request, target: FormTarget): Promise<ReceivedForm> {
  const { account, keyOf, maxBytes } = target;
  const limit = fileLimitOf(plans[account.plan]);
  const form: ReceivedForm = { values: new Map(), files: new Map() };
  const controller = new AbortController();
  let failure: unknown;
  const fail = (error: unknown): undefined => {
    failure ??= error;
    controller.abort();
  };
  const stores: Promise<(FormFile & { readonly name: string }) | undefined>[] = [];
  const parser = openParser(request);
  let fieldBytes = 0;
  const addValue = (name: string, value: string, isTruncated: boolean) => {
    fieldBytes += value.length;
    if (isTruncated || fieldBytes > maxFieldBytes) return fail(bodyTooLarge);
    form.values.set(name, [...(form.values.get(name) ?? []), value]);
  };
  parser.on("field", (name, value, { valueTruncated }) =>
    addValue(name ?? "", value, valueTruncated),
  );
  parser.on("file", (field, stream, { filename, mimeType }) => {
    // Comes from the chunk in which the form failed. A parser that was aborted never ends the stream.
    if (controller.signal.aborted) return stream.destroy();
    // A text, as in Gotenberg. Browsers send one without content for a field of files that has none.
    if (!filename) {
      return readValue(stream, (value, isTruncated) => addValue(field ?? "", value, isTruncated));
    }
    const name = cleanName(filename);
    const hints = { filename: name || "file", contentType: mimeType };
    const store = storeUpload(keyOf(stores.length), stream, hints, limit, emptyFiles);
    stores.push(
      store.then(
        (stored) => ({ name, field, stored }),
        // The streams of a parser that has failed fail with it, and `pipeline` throws its error.
        (error) => (parser.errored ? undefined : fail(error)),
      ),
    );
  });
  parser.on("partsLimit", () => {
    fail(new GotenbergError(400, `Invalid form data: more than ${maxParts} fields and files`));
  });
  try {
    const counted = (chunks: AsyncIterable<Buffer>) => countBytes(chunks, maxBytes);
    await pipeline(bodyStream(request), counted, parser, { signal: controller.signal });
  } catch (error) {
    failure ??=
      error instanceof RequestError || error instanceof GotenbergError
        ? error
        : new GotenbergError(
            400,
            "Malformed body: it does not match the 'Content-Type' header boundaries",
            { cause: error },
          );
  }
  const files = await Promise.all(stores);
  if (failure) throw failure;
  // In the order of the form: a small file is stored before a large one that precedes it.
  for (const file of files) {
    if (file) addFile(form.files, file.name, { field: file.field, stored: file.stored });
  }
  return form;
}

/** Reads a part that is a text. One that exceeds the limit of all texts is added at once, without its end. */
function readValue(stream: Readable, add: (value: string, isTruncated: boolean) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxFieldBytes) chunks.push(chunk);
    else add("", true);
  });
  stream.on("end", () => {
    if (bytes <= maxFieldBytes) add(Buffer.concat(chunks).toString("utf8"), false);
  });
  // The parser fails with the same error.
  stream.on("error", () => {});
}

/** Passes the chunks on. Throws if they are more than `maxBytes`. */
async function* countBytes(chunks: AsyncIterable<Buffer>, maxBytes = Number.POSITIVE_INFINITY) {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw bodyTooLarge;
    yield chunk;
  }
}

function openParser(request: Request): busboy.Busboy {
  try {
    return busboy({
      headers: { "content-type": request.headers.get("content-type") ?? "" },
      defParamCharset: "utf8",
      highWaterMark: bufferBytes,
      fileHwm: bufferBytes,
      limits: { fieldSize: maxFieldBytes, fieldNameSize: 200, parts: maxParts },
    });
  } catch (cause) {
    throw new GotenbergError(415, "Invalid 'Content-Type' header value: no boundary", { cause });
  }
}

/** The last segment of a name that may be a path, without control characters. */
export function cleanName(name: string): string {
  return (name.split(/[/\\]/).at(-1) ?? "")
    .replaceAll("%22", '"')
    .replaceAll(/\p{Cc}/gu, "")
    .normalize("NFC");
}

/** The texts of some files of a form, by name. */
export async function readTexts(
  form: {
    readonly file: (name: string) => { readonly key: string; readonly bytes: number } | undefined;
  },
  names: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const name of names) {
    const file = form.file(name);
    if (!file) continue;
    if (file.bytes > maxTextBytes) throw bodyTooLarge;
    texts.set(name, (await buffer(await storage().read(file.key))).toString("utf8"));
  }
  return texts;
}
