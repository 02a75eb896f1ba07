import { constants, createReadStream } from "node:fs";
import {
  access,
  type FileHandle,
  link,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { faultPoint } from "#faults";
import { FileSink } from "#lib/files/file-sink.ts";
import { copyToNew, statRegular } from "#lib/files/regular-files.ts";
import { createToken } from "#lib/ids.ts";
import { digestBytes } from "./digest.ts";
import { LocalPartialFiles } from "./local-partial.ts";
import {
  type ByteRange,
  checkKey,
  FileGoneError,
  type Inspect,
  type Storage,
  type StoredFile,
} from "./port.ts";

/** Stores files in a local folder. Files are moved and linked where possible, and copied otherwise. */
export class LocalStorage implements Storage {
  readonly linksFiles = true;
  readonly partial = new LocalPartialFiles((key) => this.#path(key));
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async write(key: string, source: Readable | Buffer, inspect?: Inspect): Promise<StoredFile> {
    const path = this.#path(key);
    const partial = `${path}.${createToken()}.part`;
    try {
      await mkdir(dirname(path), { recursive: true });
      if (Buffer.isBuffer(source)) {
        const stored = digestBytes(source, inspect);
        await writeShortFile(partial, path, source);
        return stored;
      }
      const sink = new FileSink(partial, { inspect, flushEarly: true });
      await pipeline(source, sink);
      await rename(partial, path);
      await flush(path);
      return sink.result();
    } catch (error) {
      if (!Buffer.isBuffer(source)) source.destroy();
      await rm(partial, { force: true });
      throw error;
    }
  }

  async writeCached(key: string, bytes: Buffer): Promise<void> {
    const path = this.#path(key);
    const partial = `${path}.${createToken()}.part`;
    await this.#createFolder(dirname(path));
    try {
      await writeFile(partial, bytes, { flag: "wx" });
      await rename(partial, path);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  async putFile(key: string, path: string): Promise<void> {
    const target = this.#path(key);
    // A link would be moved as a link, and followed by all who read the stored file.
    await statRegular(path);
    await mkdir(dirname(target), { recursive: true });
    try {
      await rename(path, target);
    } catch (error) {
      if (!hasCode(error, "EXDEV")) throw error;
      await this.#copyAcrossDisks(path, target);
    }
    faultPoint("while-storing", key);
    await flush(target);
  }

  async getFile(key: string, path: string): Promise<void> {
    const source = this.#path(key);
    try {
      await link(source, path);
    } catch (error) {
      if (hasCode(error, "ENOENT")) throw new FileGoneError(key, { cause: error });
      if (!hasCode(error, "EXDEV", "EPERM", "EMLINK")) throw error;
      await copyToNew(source, path);
    }
  }

  async copy(from: string, to: string): Promise<void> {
    const path = this.#path(to);
    await mkdir(dirname(path), { recursive: true });
    await this.getFile(from, path);
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const path = this.#path(key);
    try {
      await stat(path);
    } catch (error) {
      throw hasCode(error, "ENOENT") ? new FileGoneError(key, { cause: error }) : error;
    }
    return createReadStream(path, range);
  }

  async readBytes(key: string): Promise<Buffer> {
    try {
      return await readFile(this.#path(key));
    } catch (error) {
      throw hasCode(error, "ENOENT") ? new FileGoneError(key, { cause: error }) : error;
    }
  }

  async removeAll(prefix: string): Promise<void> {
    await rm(this.#path(prefix), { recursive: true, force: true });
  }

  async check(): Promise<void> {
    await mkdir(this.#root, { recursive: true });
    await access(this.#root, constants.R_OK | constants.W_OK | constants.X_OK);
  }

  async #copyAcrossDisks(path: string, target: string): Promise<void> {
    const partial = `${target}.${createToken()}.part`;
    try {
      await copyToNew(path, partial);
      await rename(partial, target);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  /** Most folders have a parent, and then this is much faster than to look for each one above it. */
  async #createFolder(path: string): Promise<void> {
    try {
      await mkdir(path);
    } catch (error) {
      if (!hasCode(error, "EEXIST")) await mkdir(path, { recursive: true });
    }
  }

  #path(key: string): string {
    return join(/* turbopackIgnore: true */ this.#root, checkKey(key));
  }
}

/**
 * Flushes the file to disk under its final name, so that a file that was reported as stored survives a
 * power failure. File systems log a rename before they report the file itself as flushed.
 */
async function flush(path: string): Promise<void> {
  await withFile(path, "r", (file) => file.sync());
}

/** Does what `write` does for a file whose bytes are in memory, with one open file. */
async function writeShortFile(partial: string, path: string, bytes: Buffer): Promise<void> {
  await withFile(partial, "wx", async (file) => {
    await file.writeFile(bytes);
    await rename(partial, path);
    await file.sync();
  });
}

async function withFile(
  path: string,
  flags: string,
  use: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags);
  await use(file).finally(() => file.close());
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
