import { DamagedDataError } from "#lib/media/damaged-data.ts";
import type { Patch, PatchSource } from "../patch.ts";

/** A run of bytes of a file. */
export interface Extent {
  readonly offset: number;
  readonly length: number;
}

/** The bytes that are read at once, because records are parsed a few bytes at a time. */
const windowBytes = 256 * 1024;

/**
 * Fragmented bytes of a file, addressed as if they were contiguous: a stream of a compound file, or a
 * structure that is split into records within one. Small reads are served from a window.
 */
export class FragmentedBytes implements PatchSource {
  readonly size: number;
  readonly file: PatchSource;
  /** Where each extent begins in these bytes and in the file; adjacent ones are merged. */
  readonly #starts: number[] = [];
  readonly #offsets: number[] = [];
  #window: { readonly start: number; readonly bytes: Buffer } = {
    start: 0,
    bytes: Buffer.alloc(0),
  };

  constructor(file: PatchSource, extents: Iterable<Extent>) {
    this.file = file;
    let size = 0;
    let end = -1;
    for (const { offset, length } of extents) {
      if (offset !== end && length > 0) {
        this.#starts.push(size);
        this.#offsets.push(offset);
      }
      size += length;
      end = offset + length;
    }
    this.size = size;
  }

  async read(offset: number, length: number): Promise<Buffer> {
    const { start, bytes } = this.#window;
    const isHeld = offset >= start && offset + length <= start + bytes.length;
    if (isHeld) return bytes.subarray(offset - start, offset - start + length);
    if (length < 0 || offset < 0 || offset + length > this.size) {
      throw new DamagedDataError("past the end of the stream");
    }
    if (length > windowBytes) return this.#gather(offset, length);
    this.#window = {
      start: offset,
      bytes: await this.#gather(offset, Math.min(windowBytes, this.size - offset)),
    };
    return this.#window.bytes.subarray(0, length);
  }

  async #gather(offset: number, length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (const extent of this.locate(offset, length)) {
      parts.push(await this.file.read(extent.offset, extent.length));
    }
    const [only] = parts;
    return parts.length === 1 && only ? only : Buffer.concat(parts);
  }

  /** The extents of the file that hold `length` bytes from `offset` on. Throws `RangeError` past the end. */
  locate(offset: number, length: number): Extent[] {
    if (offset < 0 || offset + length > this.size)
      throw new DamagedDataError("past the end of the stream");
    const extents: Extent[] = [];
    let at = offset;
    for (let index = this.#indexOf(offset); at < offset + length; index++) {
      const start = this.#starts[index] ?? 0;
      const end = Math.min(this.#starts[index + 1] ?? this.size, offset + length);
      extents.push({ offset: (this.#offsets[index] ?? 0) + at - start, length: end - at });
      at = end;
    }
    return extents;
  }

  /** The extent that holds `offset`: the last one that begins at or before it. */
  #indexOf(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Patches that write `bytes` at `offset`. */
  write(offset: number, bytes: Buffer): Patch[] {
    let done = 0;
    return this.locate(offset, bytes.length).map((extent) => {
      const part = bytes.subarray(done, done + extent.length);
      done += extent.length;
      return { offset: extent.offset, bytes: part };
    });
  }

  /** Patches that set `length` bytes from `offset` on to zero. */
  clear(offset: number, length: number): Patch[] {
    return this.locate(offset, length).map((extent) => ({
      offset: extent.offset,
      zeros: extent.length,
    }));
  }
}
