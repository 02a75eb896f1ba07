import { type FileHandle, open } from "node:fs/promises";

/** Changing a few bytes of a file in place, so that all others stay where and what they are. */

/** New bytes for those at `offset`; `zeros` that many zero bytes. */
export type Patch = { readonly offset: number } & (
  | { readonly bytes: Buffer }
  | { readonly zeros: number }
);

/** A file that is read at places; `size` in bytes. */
export interface PatchSource {
  readonly size: number;
  /** Exactly `length` bytes at `offset`. Throws `RangeError` past the end. */
  read(offset: number, length: number): Promise<Buffer>;
}

const zeroChunk = Buffer.alloc(256 * 1024);

/**
 * Asks `plan` what to change in the file at `path`, then changes it. What `plan` throws leaves the
 * file as it was.
 */
export async function patchFile(
  path: string,
  plan: (source: PatchSource) => Promise<readonly Patch[]>,
): Promise<void> {
  const file = await open(path, "r+");
  try {
    const { size } = await file.stat();
    const read = (offset: number, length: number) => readExactly(file, offset, length);
    for (const patch of await plan({ size, read })) {
      if ("bytes" in patch) await file.write(patch.bytes, 0, patch.bytes.length, patch.offset);
      else await writeZeros(file, patch.offset, Math.min(patch.zeros, size - patch.offset));
    }
  } finally {
    await file.close();
  }
}

async function readExactly(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) throw new RangeError("past the end of the file");
    filled += bytesRead;
  }
  return buffer;
}

async function writeZeros(file: FileHandle, offset: number, length: number): Promise<void> {
  for (let done = 0; done < length; done += zeroChunk.length) {
    await file.write(zeroChunk, 0, Math.min(zeroChunk.length, length - done), offset + done);
  }
}
