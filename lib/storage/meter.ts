import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
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

/** Length and SHA-256 of the local file at `path`. */
export async function measureFile(path: string): Promise<StoredFile> {
  const meter = new Meter();
  await pipeline(createReadStream(path), meter, async (chunks) => {
    for await (const _ of chunks);
  });
  return meter.result();
}
