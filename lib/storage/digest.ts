import { createHash, hash } from "node:crypto";
import { Transform } from "node:stream";

import type { Inspect, StoredFile } from "./port.ts";

/** Passes bytes through, and computes their number and SHA-256. */
export class DigestStream extends Transform {
  readonly #hash = createHash("sha256");
  readonly #inspect: Inspect | undefined;
  #bytes = 0;

  /** `inspect` receives each chunk before it is passed on. If it throws, the stream fails with its error. */
  constructor(inspect?: Inspect) {
    super();
    this.#inspect = inspect;
  }

  override _transform(
    chunk: Buffer,
    _encoding: string,
    done: (error: Error | null, data?: Buffer) => void,
  ) {
    try {
      this.#inspect?.(chunk);
    } catch (error) {
      return done(error instanceof Error ? error : new Error(String(error)));
    }
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    done(null, chunk);
  }

  /** Length and SHA-256 of all bytes. Call it once, at the end. */
  result(): StoredFile {
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }
}

/** Length and SHA-256 of `bytes`, which `inspect` receives first. */
export function digestBytes(bytes: Buffer, inspect?: Inspect): StoredFile {
  inspect?.(bytes);
  return { bytes: bytes.length, sha256: hash("sha256", bytes) };
}
