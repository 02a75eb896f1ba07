import { createHash } from "node:crypto";
import { Transform } from "node:stream";
import type { StoredFile } from "./port.ts";

/** Counts and hashes what passes through. */
export class Meter extends Transform {
  readonly #hash = createHash("sha256");
  #bytes = 0;

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, data: Buffer) => void) {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    done(null, chunk);
  }

  /** What has passed; once, at the end. */
  result(): StoredFile {
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }
}
