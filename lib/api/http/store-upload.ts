import { type Readable, Transform } from "node:stream";
import { RequestError } from "#lib/errors.ts";
import { headBytes, sniffBytes } from "#lib/media/sniff/sniff.ts";
import type { MediaType } from "#lib/media/types.ts";
import { fileTooLargeMessage } from "#lib/plans.ts";
import { storage } from "#lib/storage/index.ts";

/** A stored file of a request; its type is detected from its content. */
export interface UploadedFile {
  readonly key: string;
  readonly filename: string;
  readonly type: MediaType;
  readonly bytes: number;
  readonly sha256: string;
}

/** Streams one uploaded file to storage. An empty or too large file is an error and is not kept. */
export async function storeUpload(
  key: string,
  stream: Readable,
  hints: { filename: string; contentType: string },
  maxFileBytes: number | null,
): Promise<UploadedFile> {
  const limiter = new UploadLimiter(maxFileBytes);
  stream.on("error", (error) => limiter.destroy(error));
  // The reader gets the error too. But storage may not read yet, and an unhandled error ends the process.
  limiter.on("error", () => {});
  const stored = await storage().write(key, stream.pipe(limiter));
  if (stored.bytes === 0) throw new RequestError("invalid_input", "The file is empty.");
  const type = await sniffBytes(limiter.head(), hints);
  return { key, filename: hints.filename, type, ...stored };
}

export function fileTooLarge(maxFileBytes: number): RequestError {
  return new RequestError("too_large", fileTooLargeMessage(maxFileBytes));
}

/** Passes bytes through, keeps the first ones for type detection, and fails above the limit. */
class UploadLimiter extends Transform {
  readonly #maxBytes: number | null;
  readonly #head: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number | null) {
    super();
    this.#maxBytes = maxBytes;
  }

  override _transform(
    chunk: Buffer,
    _encoding: string,
    done: (error: Error | null, data?: Buffer) => void,
  ) {
    if (this.#bytes < headBytes) this.#head.push(chunk.subarray(0, headBytes - this.#bytes));
    this.#bytes += chunk.length;
    if (this.#maxBytes !== null && this.#bytes > this.#maxBytes) {
      return done(fileTooLarge(this.#maxBytes));
    }
    done(null, chunk);
  }

  head(): Buffer {
    return Buffer.concat(this.#head);
  }
}
