import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { StoredFile } from "./port.ts";

/** Passes bytes through, and computes their number and SHA-256. */
export class DigestStream extends Transform {
  readonly #hash = createHash("sha256");
  #bytes = 0;

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, data: Buffer) => void) {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    done(null, chunk);
  }

  /** Length and SHA-256 of all bytes. Call it once, at the end. */
  result(): StoredFile {
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }
}

/**
 * Length and SHA-256 of the local file at `path`. If they are `known`, the file is not read again.
 * Throws if its length differs from the known one.
 */
export async function digestFile(path: string, known?: StoredFile): Promise<StoredFile> {
  if (known) {
    const { size } = await stat(path);
    if (size !== known.bytes) throw new Error(`the file has ${size} of ${known.bytes} bytes`);
    return { bytes: known.bytes, sha256: known.sha256 };
  }
  const digest = new DigestStream();
  await pipeline(createReadStream(path), digest, async (chunks) => {
    for await (const _ of chunks);
  });
  return digest.result();
}
