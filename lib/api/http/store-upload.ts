import { type Readable, Transform } from "node:stream";
import { RequestError } from "#lib/errors.ts";
import { sniffBytes } from "#lib/media/sniff/sniff.ts";
import type { MediaType } from "#lib/media/types.ts";
import { describeBytes } from "#lib/plans.ts";
import { storage } from "#lib/storage/index.ts";

/** A file of a request, stored, its type told by its content. */
export interface UploadedFile {
  readonly key: string;
  readonly filename: string;
  readonly type: MediaType;
  readonly bytes: number;
  readonly sha256: string;
}

/** How much of a file's beginning is kept to tell its type by. */
const headBytes = 65_536;

/** Streams one uploaded file to storage; nothing of it is kept where it is empty or too large. */
export async function storeUpload(
  key: string,
  stream: Readable,
  hints: { filename: string; contentType: string },
  maxFileBytes: number | null,
): Promise<UploadedFile> {
  const intake = new Intake(maxFileBytes);
  stream.on("error", (error) => intake.destroy(error));
  // Whoever reads it is told; but storage may not have begun to, and nobody listening ends the process.
  intake.on("error", () => {});
  const stored = await storage().write(key, stream.pipe(intake));
  if (stored.bytes === 0) throw new RequestError("invalid_input", "The file is empty.");
  const type = await sniffBytes(intake.head(), hints);
  return { key, filename: hints.filename, type, ...stored };
}

export function fileTooLarge(maxFileBytes: number): RequestError {
  const sentence = `The file is larger than your plan's maximum of ${describeBytes(maxFileBytes)}.`;
  return new RequestError("too_large", sentence);
}

/** Keeps the head of what passes, and stops it as soon as the limit is passed. */
class Intake extends Transform {
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
    if (this.#maxBytes !== null && this.#bytes > this.#maxBytes)
      return done(fileTooLarge(this.#maxBytes));
    done(null, chunk);
  }

  head(): Buffer {
    return Buffer.concat(this.#head);
  }
}
