import { createHash } from "node:crypto";
import { PassThrough, type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Network, parseOrReject, userAgent } from "./network.ts";
import { readHeader, requestPinned } from "./pinned-request.ts";
import { readStart } from "./send.ts";

/** A file to send to a URL. */
export interface FilePut {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The size of the file. */
  readonly bytes: number;
  /** Opens the file. It is called once the URL has passed the guard. */
  readonly open: () => Promise<Readable>;
  readonly signal: AbortSignal;
  /** Called with the bytes that were sent so far. */
  readonly onProgress: (bytes: number) => void;
}

/** The response to a file. */
export interface PutResponse {
  readonly status: number;
  /** The ETag without its quotes; null if there is none. */
  readonly etag: string | null;
  /** Whether the store encrypts with a key of its own, so that the ETag is no checksum. */
  readonly isEncrypted: boolean;
  /** Whether the server has responded after it had been sent the whole file. */
  readonly isWhole: boolean;
  /** The MD5 of what was sent, in hex. */
  readonly md5: string;
  /** The beginning of the body as text. */
  readonly bodyStart: string;
}

/** How much of a response is read: the error messages of stores are shorter. */
const maxResponseBytes = 16 * 1024;

/** A store may take longer to respond than other servers: it has to write a whole file. */
const responseFactor = 4;

/**
 * Sends a file by `PUT`, with constant memory, to an address that passed the guard. Does not follow redirects.
 * Throws `JobError` for an address that is not allowed and for a connection that fails, and what `open` throws.
 */
export async function putFile(put: FilePut, network: Network): Promise<PutResponse> {
  const { purpose, guard, limits } = network;
  const target = await guard.check(parseOrReject(put.url, purpose), purpose);
  const md5 = createHash("md5");
  let sent = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      md5.update(chunk);
      sent += chunk.length;
      put.onProgress(sent);
      done(null, chunk);
    },
  });
  const body = new PassThrough();
  // A connection that fails destroys the body, and so the file.
  const reading = pipeline(await put.open(), counting, body).catch((error) => body.destroy(error));
  try {
    const response = await requestPinned({
      target,
      network: { ...network, limits: { ...limits, headersMs: limits.headersMs * responseFactor } },
      method: "PUT",
      headers: { "user-agent": userAgent, ...put.headers, "content-length": `${put.bytes}` },
      body,
      signal: put.signal,
    });
    // What the connection itself has not sent yet is not known.
    const isWhole = sent === put.bytes && body.readableLength === 0;
    try {
      const bodyStart = await readStart(response, maxResponseBytes, limits.chunkMs);
      const etag = readHeader(response, "etag")?.replace(/^(?:W\/)?"(.*)"$/, "$1") ?? null;
      const encryption = readHeader(response, "x-amz-server-side-encryption") ?? "AES256";
      const customerKey = readHeader(response, "x-amz-server-side-encryption-customer-algorithm");
      const isEncrypted = encryption !== "AES256" || customerKey !== undefined;
      const { status } = response;
      return { status, etag, isEncrypted, isWhole, md5: md5.digest("hex"), bodyStart };
    } finally {
      await response.close();
    }
  } finally {
    body.destroy();
    await reading;
  }
}
