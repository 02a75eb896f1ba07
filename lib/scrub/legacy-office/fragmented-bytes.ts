import type { Patch, PatchSource } from "../patch.ts";

/** A run of bytes of a file. */
export interface Extent {
  readonly offset: number;
  readonly length: number;
}

/** So much is read at once where a structure is walked through a few bytes at a time. */
const windowBytes = 256 * 1024;

/**
 * Bytes that lie scattered over a file, read as if they were in one piece: a stream of a compound
 * file, or a structure that is cut into records within one. Small reads come from a window, since
 * walks ask for a few bytes at a time.
 */
export class ScatteredBytes implements PatchSource {
  readonly size: number;
  readonly file: PatchSource;
  /** Where each extent begins in these bytes and in the file; neighbours are joined. */
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
      throw new RangeError("past the end of the stream");
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

  /** Where in the file the bytes from `offset` on lie. Throws `RangeError` past the end. */
  locate(offset: number, length: number): Extent[] {
    if (offset < 0 || offset + length > this.size)
      throw new RangeError("past the end of the stream");
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

  /** The extent that holds `offset`: the last that does not begin behind it. */
  #indexOf(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }

  /** What writes `bytes` at `offset`. */
  write(offset: number, bytes: Buffer): Patch[] {
    let done = 0;
    return this.locate(offset, bytes.length).map((extent) => {
      const part = bytes.subarray(done, done + extent.length);
      done += extent.length;
      return { offset: extent.offset, bytes: part };
    });
  }

  /** What makes zeros of `length` bytes from `offset` on. */
  erase(offset: number, length: number): Patch[] {
    return this.locate(offset, length).map((extent) => ({
      offset: extent.offset,
      zeros: extent.length,
    }));
  }
}
