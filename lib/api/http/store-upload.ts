import type { Readable } from "node:stream";
import { RequestError } from "#lib/errors.ts";
import { headBytes, sniffBytes } from "#lib/formats/sniff/sniff.ts";
import type { MediaType } from "#lib/media/types.ts";
import { type FileLimit, fileTooLargeMessage } from "#lib/plans.ts";
import { storage } from "#lib/storage/index.ts";

/** A stored file of a request; its type is detected from its content. */
export interface UploadedFile {
  readonly key: string;
  readonly filename: string;
  readonly type: MediaType;
  readonly bytes: number;
  readonly sha256: string;
}

/** A file without a byte. */
export class EmptyFileError extends RequestError {
  constructor(message = "The file is empty.") {
    super("invalid_input", message);
  }
}

/** Up to this size, a file is read into memory and stored at once. */
const shortBytes = headBytes;

/** Streams one uploaded file to storage. A too large file is an error and is not kept, nor is an empty one unless `mayBeEmpty`. */
export async function storeUpload(
  key: string,
  stream: Readable,
  hints: { filename: string; contentType: string },
  limit: FileLimit | null,
  { mayBeEmpty = false } = {},
): Promise<UploadedFile> {
  const inspector = new UploadInspector(limit);
  const short = await readShort(stream);
  if (short?.length === 0 && !mayBeEmpty) throw new EmptyFileError();
  const stored = await storage().write(key, short ?? stream, (chunk) => inspector.inspect(chunk));
  const type = await sniffBytes(inspector.head(), hints);
  return { key, filename: hints.filename, type, ...stored };
}

export function fileTooLarge(limit: FileLimit): RequestError {
  return new RequestError("too_large", fileTooLargeMessage(limit));
}

/**
 * The whole content of a stream of at most `shortBytes`. Undefined for a longer one, which can then be
 * read from its beginning.
 */
function readShort(stream: Readable): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const detach = () => {
      stream.off("readable", read).off("end", end).off("error", fail);
      // Until its next reader listens: an unhandled error ends the process.
      stream.on("error", () => {});
    };
    const end = () => {
      detach();
      resolve(Buffer.concat(chunks));
    };
    const fail = (error: Error) => {
      detach();
      reject(error);
    };
    const read = () => {
      for (let chunk: Buffer | null = stream.read(); chunk; chunk = stream.read()) {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes <= shortBytes) continue;
        detach();
        stream.unshift(Buffer.concat(chunks));
        return resolve(undefined);
      }
    };
    stream.on("readable", read).on("end", end).on("error", fail);
  });
}

/** Keeps the first bytes of a file for type detection, and throws above the limit. */
class UploadInspector {
  readonly #limit: FileLimit | null;
  readonly #head: Buffer[] = [];
  #bytes = 0;

  constructor(limit: FileLimit | null) {
    this.#limit = limit;
  }

  inspect(chunk: Buffer): void {
    if (this.#bytes < headBytes) {
      // A copy: the chunk may be temporary memory.
      this.#head.push(Buffer.from(chunk.subarray(0, headBytes - this.#bytes)));
    }
    this.#bytes += chunk.length;
    if (this.#limit && this.#bytes > this.#limit.bytes) throw fileTooLarge(this.#limit);
  }

  head(): Buffer {
    return Buffer.concat(this.#head);
  }
}
