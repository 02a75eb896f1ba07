import { type FileHandle, open, rm } from "node:fs/promises";
import type { SizedReader } from "#lib/media/byte-source.ts";
import { RangesUnusableError } from "#lib/net/ranges/content-range.ts";
import { WaitAllowance } from "./wait-allowance.ts";

/** A file of which any range can be read, such as one at a URL or in an object store. */
export interface RangeSource {
  /** The size of the whole file. */
  readonly bytes: number;
  /** The bytes from `start` to `end` (exclusive), in order. */
  read(start: number, end: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

export interface PartialFileOptions {
  /** An absolute path, at which a sparse file of the source's size is created. */
  readonly path: string;
  /** The beginning of the file, if it has been read before. */
  readonly head?: Uint8Array;
  /**
   * Limits how long readers may wait for the source in total. If it is exceeded, the file fails with
   * `RangesUnusableError`.
   */
  readonly allowance?: { readonly initialMs: number; readonly bytesPerSecond: number };
}

/** The unit that is requested and kept. */
export const blockBytes = 256 * 1024;

const maxAheadBlocks = 16;

/**
 * The blocks that are requested ahead of a reader that has read `blocks` in sequence: few for one that
 * seeks, and soon many for one that reads on, because each request takes a round trip. Faster growth costs megabytes at
 * each place from which only a few seconds are needed.
 */
export function blocksAhead(blocks: number): number {
  return Math.min(maxAheadBlocks, 2 ** Math.min(blocks, 10));
}

/**
 * A file that is read in part. Blocks are requested from the source when they are first read, and kept
 * in a sparse file, so that none is requested twice. The first failure of the source is final: it
 * aborts `signal`, and every read throws it.
 */
export class PartialFile implements SizedReader {
  /** The size of the whole file, in bytes. */
  readonly size: number;
  readonly #source: RangeSource;
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #present: Uint8Array;
  /** Blocks that are being requested. */
  readonly #pending = new Map<number, PromiseWithResolvers<void>>();
  readonly #running = new Set<Promise<void>>();
  readonly #failed = new AbortController();
  readonly #allowance: WaitAllowance | undefined;
  #receivedBytes = 0;

  private constructor(source: RangeSource, file: FileHandle, options: PartialFileOptions) {
    this.size = source.bytes;
    this.#source = source;
    this.#path = options.path;
    this.#file = file;
    this.#present = new Uint8Array(Math.ceil(source.bytes / blockBytes));
    const { allowance } = options;
    if (!allowance) return;
    const slow = () => this.#fail(new RangesUnusableError("the source is too slow"));
    this.#allowance = new WaitAllowance(allowance, slow);
  }

  static async create(source: RangeSource, options: PartialFileOptions): Promise<PartialFile> {
    const file = await open(options.path, "wx+", 0o600);
    const partial = new PartialFile(source, file, options);
    try {
      await file.truncate(source.bytes);
      await partial.#keepHead(options.head ?? new Uint8Array());
      return partial;
    } catch (error) {
      await partial.close();
      throw error;
    }
  }

  /** A signal that is aborted, with the error as its reason, when the source failed. */
  get signal(): AbortSignal {
    return this.#failed.signal;
  }

  /** Bytes received of the source, including the head that was read before. */
  get receivedBytes(): number {
    return Math.min(this.#receivedBytes, this.size);
  }

  /**
   * Reads at most `length` bytes from `offset` on: fewer at the end of a block and of the file.
   * `aheadBlocks` is how many blocks, including the current one, are requested if they are missing.
   */
  async readBlock(offset: number, length: number, aheadBlocks = 1): Promise<Buffer> {
    const block = Math.floor(offset / blockBytes);
    const end = Math.min(offset + length, (block + 1) * blockBytes, this.size);
    if (end <= offset) return Buffer.alloc(0);
    this.signal.throwIfAborted();
    this.#requestAhead(block, aheadBlocks);
    const pending = this.#pending.get(block);
    if (pending) await (this.#allowance?.during(pending.promise) ?? pending.promise);
    const buffer = Buffer.allocUnsafe(end - offset);
    const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, offset);
    if (bytesRead < buffer.length) throw new Error("the sparse file was truncated");
    return buffer;
  }

  /** Reads at most `length` bytes from `offset` on; fewer where the file ends. */
  async read(offset: number, length: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let at = offset;
    const end = Math.min(offset + length, this.size);
    while (at < end) {
      const blocks = Math.ceil(end / blockBytes) - Math.floor(at / blockBytes);
      const chunk = await this.readBlock(at, end - at, blocks);
      chunks.push(chunk);
      at += chunk.length;
    }
    return Buffer.concat(chunks);
  }

  /** Stops all requests and removes the sparse file. */
  async close(): Promise<void> {
    this.#fail(new Error("the file was closed"));
    await Promise.allSettled(this.#running);
    await this.#source.close();
    await this.#file.close();
    await rm(this.#path, { force: true });
  }

  async #keepHead(head: Uint8Array): Promise<void> {
    this.#receivedBytes += head.length;
    await this.#file.write(head, 0, head.length, 0);
    const blocks = head.length / blockBytes;
    this.#present.fill(1, 0, head.length === this.size ? Math.ceil(blocks) : Math.floor(blocks));
  }

  /**
   * Requests the first missing blocks of the next `count`. While most of them are there, nothing is
   * requested, so that requests are not small.
   */
  #requestAhead(block: number, count: number): void {
    const last = Math.min(block + count, this.#present.length);
    let first = block;
    while (first < last && this.#isThere(first)) first++;
    if (first === last || (first > block && first - block > count / 2)) return;
    let end = first + 1;
    while (end < last && !this.#isThere(end)) end++;
    for (let one = first; one < end; one++) {
      const pending = Promise.withResolvers<void>();
      // Blocks that are requested ahead may have no reader.
      pending.promise.catch(() => {});
      this.#pending.set(one, pending);
    }
    const running = this.#request(first, end).catch((error) => this.#fail(error));
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
  }

  #isThere(block: number): boolean {
    return this.#present[block] === 1 || this.#pending.has(block);
  }

  /** Requests the blocks from `first` to `end` (exclusive). */
  async #request(first: number, end: number): Promise<void> {
    const start = first * blockBytes;
    const stop = Math.min(end * blockBytes, this.size);
    let at = start;
    let block = first;
    for await (const chunk of this.#source.read(start, stop, this.signal)) {
      this.#receivedBytes += chunk.length;
      this.#allowance?.addBytes(chunk.length);
      await this.#file.write(chunk, 0, chunk.length, at);
      at += chunk.length;
      for (; block < end && at >= Math.min((block + 1) * blockBytes, stop); block++) {
        this.#present[block] = 1;
        this.#pending.get(block)?.resolve();
        this.#pending.delete(block);
      }
    }
    if (at !== stop) throw new Error("the source ended before the end of the range");
  }

  #fail(error: unknown): void {
    if (!this.signal.aborted) this.#failed.abort(error);
    for (const { reject } of this.#pending.values()) reject(this.signal.reason);
    this.#pending.clear();
  }
}
