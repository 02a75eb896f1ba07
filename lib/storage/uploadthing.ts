import { createWriteStream, openAsBlob } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { UTApi, UTFile } from "uploadthing/server";
import { db, transaction } from "#lib/db/client.ts";
import {
  findRemoteKey,
  forgetFiles,
  hideFiles,
  listOrphans,
  noteFile,
  shareFile,
  showFile,
} from "#lib/db/queries/files/stored-files.ts";
import { createToken } from "#lib/ids.ts";
import { streamFetch } from "#lib/net/stream-fetch.ts";
import { Meter, measureFile } from "./meter.ts";
import { type ByteRange, checkKey, FileGoneError, type Storage, type StoredFile } from "./port.ts";

/** Options of `UTApi`; all but the token serve other hosts than UploadThing's own. */
export type UploadThingOptions = NonNullable<ConstructorParameters<typeof UTApi>[0]>;

/** How many files one request deletes. */
const filesAtOnce = 100;

/**
 * Files at UploadThing, each under a random custom id. Which of our keys has which file stands in
 * the database: UploadThing lists a whole app only, never a prefix, and a custom id stays taken for
 * a while after its file is deleted, so that a second try could not write its key again. It also
 * lets a copy share the file of its source, where UploadThing would have it sent once more.
 */
export class UploadThingStorage implements Storage {
  readonly #api: UTApi;

  constructor(options: UploadThingOptions) {
    // It would log by itself, in a form of its own; its failures come back as errors.
    this.#api = new UTApi({ logLevel: "None", fetch: streamFetch, ...options });
  }

  async write(key: string, source: Readable): Promise<StoredFile> {
    checkKey(key);
    // The length must be known before the first byte is sent, hence by way of the disk.
    const folder = await mkdtemp(join(tmpdir(), "mediamill-upload-"));
    try {
      const path = join(folder, "file");
      const meter = new Meter();
      await pipeline(source, meter, createWriteStream(path));
      await this.#send(key, path);
      return meter.result();
    } finally {
      source.destroy();
      await rm(folder, { recursive: true, force: true });
    }
  }

  async putFile(key: string, path: string): Promise<StoredFile> {
    const stored = await measureFile(path);
    await this.#send(checkKey(key), path);
    return stored;
  }

  async getFile(key: string, path: string): Promise<void> {
    await pipeline(await this.read(key), createWriteStream(path, { flags: "wx" }));
  }

  async copy(from: string, to: string): Promise<void> {
    const isShared = await transaction((tx) => shareFile(tx, checkKey(from), checkKey(to)));
    if (!isShared) throw new FileGoneError(from);
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const remoteKey = await findRemoteKey(db(), checkKey(key));
    if (!remoteKey) throw new FileGoneError(key);
    const { ufsUrl } = await this.#api.generateSignedURL(remoteKey);
    const headers = new Headers(range && { Range: `bytes=${range.start}-${range.end}` });
    const { status, body } = await streamFetch(ufsUrl, { headers });
    if (status === (range ? 206 : 200) && body) return Readable.from(body);
    await body?.cancel();
    if (status === 404) throw new FileGoneError(key);
    throw new Error(`the store answered ${status}`);
  }

  async removeAll(prefix: string): Promise<void> {
    // Each of these may be the last before a crash: a second call goes on where the first one was.
    await hideFiles(db(), checkKey(prefix));
    await this.#delete(await listOrphans(db(), prefix));
    await forgetFiles(db(), prefix);
  }

  /** What fails half-way, or is replaced, is deleted together with its prefix. */
  async #send(key: string, path: string): Promise<void> {
    const file = createToken();
    await noteFile(db(), { file, key });
    const type = "application/octet-stream";
    const blob = new UTFile([await openAsBlob(path)], "file", { customId: file, type });
    const { data, error } = await this.#api.uploadFiles(blob, { contentDisposition: "attachment" });
    if (error) throw new Error(`the store took no file: ${error.message}`, { cause: error });
    if (await transaction((tx) => showFile(tx, { file, key, remoteKey: data.key }))) return;
    await this.#delete([file]);
    throw new FileGoneError(key);
  }

  async #delete(files: readonly string[]): Promise<void> {
    for (let first = 0; first < files.length; first += filesAtOnce) {
      const some = files.slice(first, first + filesAtOnce);
      const { success } = await this.#api.deleteFiles(some, { keyType: "customId" });
      if (!success) throw new Error("the store deleted no files");
    }
  }
}
