import { createHash, hash } from "node:crypto";
import { open, readFile, stat } from "node:fs/promises";
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

/** Few large reads: each one has a cost of its own. */
const readBytes = 1024 ** 2;

/**
 * Length and SHA-256 of the local file at `path`. If they are `known`, the file is not read again.
 * Throws if its length differs from the known one.
 */
export async function digestFile(path: string, known?: StoredFile): Promise<StoredFile> {
  const { size } = await stat(path);
  if (known) {
    if (size !== known.bytes) throw new Error(`the file has ${size} of ${known.bytes} bytes`);
    return { bytes: known.bytes, sha256: known.sha256 };
  }
  if (size <= readBytes) return digestBytes(await readFile(path));
  const digest = createHash("sha256");
  // One buffer for all reads: new ones would make the garbage collector run for every few files.
  const buffer = Buffer.allocUnsafeSlow(readBytes);
  let bytes = 0;
  const file = await open(path);
  try {
    while (true) {
      const { bytesRead } = await file.read(buffer, 0, readBytes, bytes);
      if (bytesRead === 0) return { bytes, sha256: digest.digest("hex") };
      digest.update(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
}
