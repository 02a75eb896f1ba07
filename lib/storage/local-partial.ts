import { type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { freeTemporary } from "#lib/files/temporary-memory.ts";
import { ChunkQueue, limitBytes } from "./partial-source.ts";
import type { PartialFile, PartialFiles, PartialWrite } from "./port.ts";

/** Bytes that are written together. */
const writeBytes = 1024 ** 2;

/** After so many bytes and at this interval, what has arrived is flushed and reported as stored. */
const flushBytes = 64 * 1024 ** 2;
const flushMs = 1000;

/** Unfinished files of the local folder, each next to its final path. Bytes are written at their place. */
export class LocalPartialFiles implements PartialFiles {
  readonly #pathOf: (key: string) => string;

  constructor(pathOf: (key: string) => string) {
    this.#pathOf = pathOf;
  }

  async begin(key: string): Promise<null> {
    // A repeated request may come after the file was finished.
    if ((await sizeOf(this.#pathOf(key))) !== undefined) return null;
    const path = this.#partial(key);
    await mkdir(dirname(path), { recursive: true });
    await (await open(path, "a")).close();
    return null;
  }

  async append(
    { key }: PartialFile,
    source: AsyncIterable<Buffer>,
    write: PartialWrite,
  ): Promise<void> {
    const file = await open(this.#partial(key), "r+");
    try {
      await writeAt(file, source, write);
    } finally {
      await file.close();
    }
  }

  async finish({ key, bytes }: PartialFile): Promise<void> {
    const path = this.#pathOf(key);
    const partial = this.#partial(key);
    // The last request may have moved it and then failed. A key has one file: what was begun after that is not it.
    if ((await sizeOf(path)) === bytes) {
      await rm(partial, { force: true });
      return;
    }
    await rename(partial, path);
    const file = await open(path, "r");
    await file.sync().finally(() => file.close());
  }

  async discard({ key }: PartialFile): Promise<void> {
    await rm(this.#partial(key), { force: true });
  }

  #partial(key: string): string {
    return this.#pathOf(`${key}.partial`);
  }
}

/** Writes a source to its place in the file, and flushes it now and then. */
async function writeAt(
  file: FileHandle,
  source: AsyncIterable<Buffer>,
  { offset, bytes, onStored }: PartialWrite,
): Promise<void> {
  const queue = new ChunkQueue();
  let written = offset;
  let recorded = offset;
  let flushed = offset;
  let turn = Promise.resolve();
  /** One after the other: the timer flushes what a client sent that then pauses. */
  const inTurn = (work: () => Promise<void>) => {
    turn = turn.then(work);
    return turn;
  };
  const writeAll = async () => {
    for (const chunk of queue.take()) {
      for (let at = 0; at < chunk.length; ) {
        at += (await file.write(chunk, at, chunk.length - at, written + at)).bytesWritten;
      }
      written += chunk.length;
      freeTemporary(chunk);
    }
  };
  const flush = async () => {
    await writeAll();
    if (written > flushed) await file.datasync();
    flushed = written;
    if (written > recorded && (await onStored(written))) recorded = written;
  };
  // Its error is that of the next turn.
  const timer = setInterval(() => void inTurn(flush).catch(() => {}), flushMs);
  try {
    for await (const chunk of limitBytes(source, bytes)) {
      queue.add(chunk);
      if (queue.bytes >= writeBytes) await inTurn(writeAll);
      if (written - flushed >= flushBytes) await inTurn(flush);
    }
  } finally {
    clearInterval(timer);
    await inTurn(flush);
  }
}

/** The size of a file; undefined if there is none. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
