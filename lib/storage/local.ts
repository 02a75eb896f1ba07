import { createReadStream, createWriteStream } from "node:fs";
import { copyFile, link, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { faultPoint } from "#faults";
import { createToken } from "#lib/ids.ts";
import { DigestStream, digestFile } from "./digest.ts";
import { type ByteRange, checkKey, FileGoneError, type Storage, type StoredFile } from "./port.ts";

/** Stores files in a local folder. Files are moved and linked where possible, and copied otherwise. */
export class LocalStorage implements Storage {
  readonly linksFiles = true;
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async write(key: string, source: Readable): Promise<StoredFile> {
    const path = this.#path(key);
    const partial = `${path}.${createToken()}.part`;
    const digest = new DigestStream();
    try {
      await mkdir(dirname(path), { recursive: true });
      await pipeline(source, digest, createWriteStream(partial, { flush: true }));
      await rename(partial, path);
    } catch (error) {
      source.destroy();
      await rm(partial, { force: true });
      throw error;
    }
    return digest.result();
  }

  async putFile(key: string, path: string, known?: StoredFile): Promise<StoredFile> {
    const target = this.#path(key);
    const stored = await digestFile(path, known);
    await mkdir(dirname(target), { recursive: true });
    try {
      await rename(path, target);
    } catch (error) {
      if (!hasCode(error, "EXDEV")) throw error;
      await this.#copyAcrossDisks(path, target);
    }
    faultPoint("while-storing", key);
    await flush(target);
    return stored;
  }

  async getFile(key: string, path: string): Promise<void> {
    const source = this.#path(key);
    try {
      await link(source, path);
    } catch (error) {
      if (hasCode(error, "ENOENT")) throw new FileGoneError(key, { cause: error });
      if (!hasCode(error, "EXDEV", "EPERM", "EMLINK")) throw error;
      await copyFile(source, path);
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

  async removeAll(prefix: string): Promise<void> {
    await rm(this.#path(prefix), { recursive: true, force: true });
  }

  async #copyAcrossDisks(path: string, target: string): Promise<void> {
    const partial = `${target}.${createToken()}.part`;
    try {
      await copyFile(path, partial);
      await rename(partial, target);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  #path(key: string): string {
    return join(/* turbopackIgnore: true */ this.#root, checkKey(key));
  }
}

/** Flushes the file to disk, so that a file that was reported as stored survives a power failure. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
