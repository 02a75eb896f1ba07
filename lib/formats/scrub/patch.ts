import type { FileHandle } from "node:fs/promises";
import { copyToNew, openRegular } from "#lib/files/regular-files.ts";
import type { SizedReader } from "#lib/media/byte-source.ts";
import { DamagedDataError } from "#lib/media/damaged-data.ts";

/** Changes of a few bytes of a file, in place. All other bytes keep their position and value. */

/** Replaces the bytes from `offset` on, by `bytes` or by `zeros` zero bytes. */
export type Patch = { readonly offset: number } & (
  | { readonly bytes: Buffer }
  | { readonly zeros: number }
);

/** A file with random access. */
export interface PatchSource extends SizedReader {
  /** Reads exactly `length` bytes from `offset` on. Throws `RangeError` past the end. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** The most bytes of one read: lengths come from untrusted headers. */
const maxReadBytes = 128 * 2 ** 20;

/** The source for an open file of `size` bytes. */
export function sourceOfFile(file: FileHandle, size: number): PatchSource {
  const read = async (offset: number, length: number) => {
    if (length < 0 || length > maxReadBytes || offset + length > size) {
      throw new DamagedDataError("past the end of the file");
    }
    const buffer = Buffer.alloc(length);
    for (let filled = 0; filled < length; ) {
      const { bytesRead } = await file.read(buffer, filled, length - filled, offset + filled);
      if (bytesRead === 0) throw new DamagedDataError("past the end of the file");
      filled += bytesRead;
    }
    return buffer;
  };
  return { size, read };
}

/** The most bytes of a plan: of its patches and what they write. */
export const maxPlanBytes = 64 * 2 ** 20;

/** The error of a plan that has more changes, or more parts of the file between them, than it can hold. */
export class TooManyPatchesError extends Error {
  override readonly name = "TooManyPatchesError";
}

/**
 * The bytes before each patch: 1 for bytes and 0 for zeros, then the offset and the length as
 * doubles. After them come the bytes.
 */
const headerBytes = 17;

/**
 * The patches of a file of `size` bytes in order and without overlaps, as bytes for `copyPatched`.
 * Where patches overlap, the later one wins. Throws `TooManyPatchesError`.
 */
export function encodePatches(patches: readonly Patch[], size: number): Buffer {
  const parts: Buffer[] = [];
  let planBytes = 0;
  for (const { offset, ...content } of mergePatches(patches, size)) {
    const header = Buffer.alloc(headerBytes);
    const bytes = "bytes" in content ? content.bytes : undefined;
    header.writeUInt8(bytes ? 1 : 0, 0);
    header.writeDoubleLE(offset, 1);
    header.writeDoubleLE("bytes" in content ? content.bytes.length : content.zeros, 9);
    parts.push(header);
    if (bytes) parts.push(bytes);
    planBytes += headerBytes + (bytes?.length ?? 0);
    if (planBytes > maxPlanBytes) throw new TooManyPatchesError();
  }
  return Buffer.concat(parts);
}

/** Sorts the patches, and makes one of those that overlap or, if they are zeros, are adjacent. */
function* mergePatches(patches: readonly Patch[], size: number): Generator<Patch> {
  const ends = (patch: Patch) => {
    const length = "bytes" in patch ? patch.bytes.length : patch.zeros;
    return Math.min(patch.offset + length, size);
  };
  let group: Patch[] = [];
  let start = 0;
  let end = 0;
  let areZeros = true;
  const merge = (): Patch => {
    const [only] = group;
    if (only && group.length === 1 && "bytes" in only) {
      return { offset: start, bytes: only.bytes.subarray(0, end - start) };
    }
    if (areZeros) return { offset: start, zeros: end - start };
    if (end - start > maxPlanBytes) throw new TooManyPatchesError();
    const bytes = Buffer.alloc(end - start);
    for (const patch of group.sort((one, other) => order(one) - order(other))) {
      const at = patch.offset - start;
      if ("bytes" in patch) patch.bytes.copy(bytes, at);
      else bytes.fill(0, at, ends(patch) - start);
    }
    return { offset: start, bytes };
  };
  const orders = new Map(patches.map((patch, index) => [patch, index]));
  const order = (patch: Patch) => orders.get(patch) ?? 0;
  for (const patch of patches.toSorted((one, other) => one.offset - other.offset)) {
    if (ends(patch) <= patch.offset) continue;
    const continuesZeros = areZeros && "zeros" in patch && patch.offset === end;
    if (group.length > 0 && patch.offset >= end && !continuesZeros) {
      yield merge();
      group = [];
    }
    if (group.length === 0) {
      start = patch.offset;
      end = patch.offset;
      areZeros = true;
    }
    group.push(patch);
    end = Math.max(end, ends(patch));
    areZeros &&= "zeros" in patch;
  }
  if (group.length > 0) yield merge();
}

/**
 * The patches that `encodePatches` wrote. `plan` is untrusted. Throws `RangeError` if it is invalid for a
 * file of `size` bytes.
 */
export function decodePatches(plan: Buffer, size: number): Patch[] {
  const patches: Patch[] = [];
  let end = 0;
  for (let at = 0; at < plan.length; ) {
    const isBytes = plan.readUInt8(at) === 1;
    const offset = plan.readDoubleLE(at + 1);
    const length = plan.readDoubleLE(at + 9);
    at += headerBytes;
    const isInFile = Number.isSafeInteger(offset) && Number.isSafeInteger(length);
    if (!isInFile || offset < end || length <= 0 || offset + length > size) {
      throw new RangeError("patch outside of the file");
    }
    end = offset + length;
    if (!isBytes) {
      patches.push({ offset, zeros: length });
      continue;
    }
    if (at + length > plan.length) throw new RangeError("patch without its bytes");
    patches.push({ offset, bytes: plan.subarray(at, at + length) });
    at += length;
  }
  return patches;
}

/** The file is changed in pieces of this size, because it can have millions of patches. */
const windowBytes = 1024 ** 2;

/**
 * Copies the file `from` to `to`, which must not exist, and applies `patches`, which `decodePatches`
 * returned. Throws if the signal is aborted, which does not interrupt the copy. The kernel copies the bytes:
 * this takes a quarter of the processor time of reading and writing them, and none where the file system
 * shares them.
 */
export async function copyPatched(
  from: string,
  to: string,
  patches: readonly Patch[],
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  await copyToNew(from, to);
  const file = await openRegular(to, "r+");
  try {
    const buffer = Buffer.allocUnsafeSlow(windowBytes);
    let start = 0;
    let next = 0;
    for (let patch = patches[0]; patch; patch = patches[next]) {
      signal?.throwIfAborted();
      start = Math.max(start, patch.offset);
      const { bytesRead } = await file.read(buffer, 0, windowBytes, start);
      if (bytesRead === 0) throw new Error("the file is shorter than its patches");
      const chunk = buffer.subarray(0, bytesRead);
      next = applyPatches(chunk, start, patches, next);
      await writeAll(file, chunk, start);
      start += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/** Applies those patches from the index `next` on that are in `chunk`, and returns the next index. */
function applyPatches(
  chunk: Buffer,
  start: number,
  patches: readonly Patch[],
  next: number,
): number {
  const end = start + chunk.length;
  for (let index = next; ; index++) {
    const patch = patches[index];
    if (!patch || patch.offset >= end) return index;
    const at = patch.offset - start;
    const length = "bytes" in patch ? patch.bytes.length : patch.zeros;
    if ("bytes" in patch) patch.bytes.copy(chunk, Math.max(at, 0), Math.max(-at, 0));
    else chunk.fill(0, Math.max(at, 0), Math.min(at + length, chunk.length));
    if (at + length > chunk.length) return index;
  }
}

async function writeAll(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let at = 0; at < chunk.length; ) {
    at += (await file.write(chunk, at, chunk.length - at, position + at)).bytesWritten;
  }
}
