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

/** So far apart may patches be that are written together. */
const groupBytes = 1024 * 1024;

/**
 * Asks `plan` what to change in the file at `path`, then changes it; of patches in the same place the
 * later one holds. What `plan` throws leaves the file as it was.
 */
export async function patchFile(
  path: string,
  plan: (source: PatchSource) => Promise<readonly Patch[]>,
): Promise<void> {
  const file = await open(path, "r+");
  try {
    const { size } = await file.stat();
    const source = sourceOf(file, size);
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

/** Patches that follow each other and lie close together: a file may have a million small ones. */
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
