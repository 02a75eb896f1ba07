import { Readable } from "node:stream";
import { RequestError } from "#lib/errors.ts";
import type { RequestContext } from "../definition/endpoint.ts";
import { messageBody } from "./incoming-message.ts";
import { parseJsonText } from "./json-text.ts";
import { readMultipart, type UploadTarget } from "./multipart.ts";
import type { UploadedFile } from "./store-upload.ts";

/** A parsed body: its fields by name, and its files, which are stored already. */
export interface RequestBody {
  readonly encoding: "json" | "multipart";
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, UploadedFile>>;
  /** What a form has as `file` and `input` if it may have several, in its order. */
  readonly inputs: readonly (UploadedFile | string)[];
}

/** The size limit of a JSON body. Files are sent by URL or as multipart. */
const maxJsonBytes = 1_048_576;

/** Reads a body, JSON or multipart; files stream to storage under `target`. */
export async function readBody(
  { request, record }: Pick<RequestContext, "request" | "record">,
  target: UploadTarget,
): Promise<RequestBody> {
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() || "identity";
  if (encoding !== "identity") {
    throw new RequestError(
      "unsupported_media_type",
      "`Content-Encoding` is not supported. Send the body uncompressed.",
    );
  }
  const mediaType = mediaTypeOf(request);
  if (mediaType === "application/json") {
    const fields = await readJson(request);
    record.body = { encoding: "json", fields };
    return { encoding: "json", fields, files: {}, inputs: [] };
  }
  if (mediaType === formType) {
    const form = await readMultipart(request, bodyStream(request), target, (fields, files) => {
      record.body = { encoding: "multipart", fields, files };
    });
    return { encoding: "multipart", ...form };
  }
  throw new RequestError(
    "unsupported_media_type",
    "`Content-Type` must be application/json or multipart/form-data.",
  );
}

const formType = "multipart/form-data";

/** Whether a request's body may have files. */
export function isMultipart(request: Request): boolean {
  return mediaTypeOf(request) === formType;
}

/** The media type of the request's body, without parameters. */
function mediaTypeOf(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";", 1).join().trim().toLowerCase();
}

/**
 * A JSON body that is an object, of at most 1 MiB. If the body `mayBeEmpty`, a request without one, of any type, is
 * like one with `{}`.
 */
export async function readJson(
  request: Request,
  { mayBeEmpty = false }: { readonly mayBeEmpty?: boolean } = {},
): Promise<Record<string, unknown>> {
  const isJson = mediaTypeOf(request) === "application/json";
  const bytes = isJson || mayBeEmpty ? await readBytes(request) : undefined;
  if (mayBeEmpty && bytes?.length === 0) return {};
  if (!isJson || !bytes) {
    throw new RequestError("unsupported_media_type", "`Content-Type` must be application/json.");
  }
  const value = parseJson(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new RequestError("invalid_request", "The body must be a JSON object.");
  }
  // The keys of an object are text.
  return value as Record<string, unknown>;
}

/** The whole body, unparsed, of at most 1 MiB. */
export async function readBytes(request: Request): Promise<Buffer> {
  const tooLarge = () =>
    new RequestError("too_large", "A body without files must have at most 1 MiB.");
  if (Number(request.headers.get("content-length")) > maxJsonBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of bodyStream(request)) {
    bytes += chunk.length;
    if (bytes > maxJsonBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseJson(bytes: Buffer): unknown {
  try {
    return parseJsonText(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    if (cause instanceof RequestError) throw cause;
    throw new RequestError("invalid_request", "The body is not valid JSON.", { cause });
  }
}

/** The streams of bodies that are read, or were. */
const openedBodies = new WeakMap<Request, Readable>();

/** The request's body as a Node stream; empty if there is none. It may be left unread. */
export function bodyStream(request: Request): Readable {
  const stream = messageBody(request) ?? ownStream(request);
  openedBodies.set(request, stream);
  return stream;
}

function ownStream({ body }: Request): Readable {
  return body ? new BodyStream(body) : Readable.from([]);
}

/** Whether the request's body is being read, or was. */
export function isBodyOpened(request: Request): boolean {
  return openedBodies.has(request);
}

/** Whether the request's body is being read, and has not arrived as a whole. */
export function isReceivingBody(request: Request): boolean {
  const stream = openedBodies.get(request);
  return stream !== undefined && !stream.readableEnded && !stream.destroyed;
}

/**
 * A request's body that may be left unread. `Readable.fromWeb` cancels the web stream when it ends,
 * which closes the connection before the error response is sent; this stream does not.
 */
class BodyStream extends Readable {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(body: ReadableStream<Uint8Array>) {
    super();
    this.#reader = body.getReader();
  }

  override _read(): void {
    this.#reader.read().then(
      ({ done, value }) => this.push(done ? null : value),
      (cause) => {
        const message = "The body of the request is incomplete.";
        this.destroy(new RequestError("invalid_request", message, { cause }));
      },
    );
  }
}
