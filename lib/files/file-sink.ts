import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { Writable } from "node:stream";
import { freeTemporary } from "./temporary-memory.ts";

/** The length of a file, and its SHA-256 in hex. */
export interface FileDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/** Bytes that wait in memory while earlier ones are written; then they are written together. */
const bufferBytes = 2 * 1024 ** 2;

/** Flushing starts after each so many bytes, so that little is left to flush at the end. */
const flushBytes = 64 * 1024 ** 2;

interface FileSinkOptions {
  /** Receives each chunk before it is written. If it throws, writing fails with its error. */
  readonly inspect?: ((chunk: Buffer) => void) | undefined;
  /** Whether bytes are flushed to disk while more arrive. The end is not: that is left to the caller. */
  readonly flushEarly?: boolean;
}

/**
 * Writes a new file in one pass: counts and hashes the bytes as they arrive. `path` must not exist. Frees
 * chunks that `markTemporary` marked, once they are written.
 */
export class FileSink extends Writable {
  readonly #path: string;
  readonly #options: FileSinkOptions;
  readonly #hash = createHash("sha256");
  #file: FileHandle | undefined;
  #bytes = 0;
  #unflushedBytes = 0;
  #flushing: Promise<unknown> | undefined;
  #flushError: Error | undefined;

  constructor(path: string, options: FileSinkOptions = {}) {
    super({ highWaterMark: bufferBytes, decodeStrings: true });
    this.#path = path;
    this.#options = options;
  }

  /** Length and SHA-256 of all bytes. Call it once, after the sink has finished. */
  result(): FileDigest {
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }

  override _construct(done: (error?: Error | null) => void): void {
    open(/* turbopackIgnore: true */ this.#path, "wx").then((file) => {
      this.#file = file;
      done();
    }, done);
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#append([chunk]).then(() => done(), done);
  }

  override _writev(
    chunks: readonly { chunk: Buffer }[],
    done: (error?: Error | null) => void,
  ): void {
    this.#append(chunks.map(({ chunk }) => chunk)).then(() => done(), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#finish().then(() => done(), done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const close = async () => {
      await this.#flushing;
      await this.#file?.close();
    };
    close().then(
      () => done(error),
      (cause) => done(error ?? cause),
    );
  }

  async #append(chunks: readonly Buffer[]): Promise<void> {
    let bytes = 0;
    for (const chunk of chunks) {
      this.#options.inspect?.(chunk);
      bytes += chunk.length;
    }
    const writing = this.#writeAll(chunks, bytes);
    // In this thread, while another one writes.
    for (const chunk of chunks) this.#hash.update(chunk);
    await writing;
    for (const chunk of chunks) freeTemporary(chunk);
    this.#bytes += bytes;
    this.#unflushedBytes += bytes;
    if (this.#options.flushEarly && this.#unflushedBytes >= flushBytes) this.#startFlush();
  }

  async #writeAll(chunks: readonly Buffer[], bytes: number): Promise<void> {
    const file = this.#openFile();
    const [only] = chunks;
    const { bytesWritten } =
      only && chunks.length === 1 ? await file.write(only) : await file.writev(chunks);
    if (bytesWritten === bytes) return;
    // The rest of a short write: usually the disk is full, and the next call reports it.
    const rest = Buffer.concat(chunks).subarray(bytesWritten);
    for (let at = 0; at < rest.length; ) at += (await file.write(rest, at)).bytesWritten;
  }

  /** One flush at a time. A slow disk delays only the end. */
  #startFlush(): void {
    if (this.#flushing) return;
    this.#unflushedBytes = 0;
    this.#flushing = this.#openFile()
      .datasync()
      .catch((error) => {
        this.#flushError = error;
      })
      .finally(() => {
        this.#flushing = undefined;
      });
  }

  async #finish(): Promise<void> {
    await this.#flushing;
    // The kernel reports it only once: a later flush would succeed.
    if (this.#flushError) throw this.#flushError;
  }

  #openFile(): FileHandle {
    if (!this.#file) throw new Error("the file is not open");
    return this.#file;
  }
}
