import { type FileHandle, open } from "node:fs/promises";
import type { SizedReader } from "#lib/media/byte-source.ts";

/** Changes of a few bytes of a file, in place. All other bytes keep their position and value. */

/** Replaces the bytes from `offset` on, by `bytes` or by `zeros` zero bytes. */
export type Patch = { readonly offset: number } & (
  | { readonly bytes: Buffer }
  | { readonly zeros: number }
);

/** A file with random access. */
export interface PatchSource extends SizedReader {
  /** Exactly `length` bytes from `offset` on. Throws `RangeError` past the end. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** The most bytes of one read: lengths come from untrusted headers. */
const maxReadBytes = 128 * 2 ** 20;

/** The source for an open file of `size` bytes. */
export function sourceOfFile(file: FileHandle, size: number): PatchSource {
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

/** The longest range of patches that are written together. */
const groupBytes = 1024 * 1024;

/**
 * Applies the patches that `plan` returns to the file at `path`. Where patches overlap, the later one
 * wins. If `plan` throws, the file does not change.
 */
export async function patchFile(
  path: string,
  plan: (source: PatchSource) => Promise<readonly Patch[]>,
): Promise<void> {
  const file = await open(path, "r+");
  try {
    const { size } = await file.stat();
    const source = sourceOfFile(file, size);
    for (const group of groupPatches(await plan(source), size)) {
      const [patch, ...more] = group.patches;
      if (patch && more.length === 0) {
        if ("bytes" in patch) await file.write(patch.bytes, 0, patch.bytes.length, patch.offset);
        else await writeZeros(file, patch.offset, Math.min(patch.zeros, size - patch.offset));
      } else {
        const bytes = await source.read(group.start, group.end - group.start);
        for (const one of group.patches) {
          const at = one.offset - group.start;
          if ("bytes" in one) one.bytes.copy(bytes, at);
          else bytes.fill(0, at, at + one.zeros);
        }
        await file.write(bytes, 0, bytes.length, group.start);
      }
    }
  } finally {
    await file.close();
  }
}

/** Groups consecutive patches that are close together: a file may have a million small ones. */
function* groupPatches(patches: readonly Patch[], size: number) {
  let group: { start: number; end: number; patches: Patch[] } | undefined;
  for (const patch of patches) {
    const start = patch.offset;
    const end = start + ("bytes" in patch ? patch.bytes.length : patch.zeros);
    const [from, to] = [Math.min(start, group?.start ?? start), Math.max(end, group?.end ?? end)];
    if (group && to - from <= groupBytes && to <= size) {
      group.start = from;
      group.end = to;
      group.patches.push(patch);
    } else {
      if (group) yield group;
      group = { start, end, patches: [patch] };
    }
  }
  if (group) yield group;
}

async function writeZeros(file: FileHandle, offset: number, length: number): Promise<void> {
  for (let done = 0; done < length; done += zeroChunk.length) {
    await file.write(zeroChunk, 0, Math.min(zeroChunk.length, length - done), offset + done);
  }
}
