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

/** More is never read at once; what a header says of lengths is a stranger's word. */
const maxReadBytes = 128 * 2 ** 20;

/** `file`, of `size` bytes, as a source. */
export function sourceOf(file: FileHandle, size: number): PatchSource {
  const read = async (offset: number, length: number) => {
    if (length < 0 || length > maxReadBytes || offset + length > size) {
      throw new RangeError("past the end of the file");
    }
    const buffer = Buffer.alloc(length);
    for (let filled = 0; filled < length; ) {
      const { bytesRead } = await file.read(buffer, filled, length - filled, offset + filled);
      if (bytesRead === 0) throw new RangeError("past the end of the file");
      filled += bytesRead;
    }
    return buffer;
  };
  return { size, read };
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
    for (const patch of await plan(sourceOf(file, size))) {
      if ("bytes" in patch) await file.write(patch.bytes, 0, patch.bytes.length, patch.offset);
      else await writeZeros(file, patch.offset, Math.min(patch.zeros, size - patch.offset));
    }
  } finally {
    await file.close();
  }
}

async function writeZeros(file: FileHandle, offset: number, length: number): Promise<void> {
  for (let done = 0; done < length; done += zeroChunk.length) {
    await file.write(zeroChunk, 0, Math.min(zeroChunk.length, length - done), offset + done);
  }
}
