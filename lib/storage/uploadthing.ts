import { createWriteStream, openAsBlob } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { UTApi, UTFile } from "uploadthing/server";
import { db, transaction } from "#lib/db/client.ts";
import {
  copyFileKey,
  deleteUnusedFileKeys,
  findRemoteKey,
  insertStoredFile,
  listOrphans,
  setCurrentFile,
  unsetCurrentFiles,
} from "#lib/db/queries/files/stored-files.ts";
import { FileSink } from "#lib/files/file-sink.ts";
import { statRegular } from "#lib/files/regular-files.ts";
import { createToken } from "#lib/ids.ts";
import { streamFetch } from "#lib/net/stream-fetch.ts";
import {
  type ByteRange,
  checkKey,
  FileGoneError,
  type Inspect,
  type SignedDownload,
  type Storage,
  type StoredFile,
} from "./port.ts";

/** Options of `UTApi`; all except the token are only for hosts other than UploadThing's. */
export type UploadThingOptions = NonNullable<ConstructorParameters<typeof UTApi>[0]>;

/** The files that one request deletes. */
const deleteBatchFiles = 100;

/**
 * Stores files at UploadThing, each with a random custom id. The database maps keys to files, because
 * UploadThing cannot list files by prefix, and because a custom id stays reserved for batch time after
 * its file is deleted, so that a key could not be written again. A copy shares the file of its
 * source, because UploadThing cannot copy files.
 */
export class UploadThingStorage implements Storage {
  readonly linksFiles = false;
  readonly #api: UTApi;

  constructor(options: UploadThingOptions) {
    // Failures are thrown, so the separate log of the library is disabled.
    this.#api = new UTApi({ logLevel: "None", fetch: streamFetch, ...options });
  }

  async write(key: string, source: Readable | Buffer, inspect?: Inspect): Promise<StoredFile> {
    checkKey(key);
    // The length must be known before the first byte is sent, so the file is buffered on disk.
    const folder = await mkdtemp(join(tmpdir(), "mediamill-upload-"));
    try {
      const path = join(folder, "file");
      const sink = new FileSink(path, { inspect });
      await pipeline(Buffer.isBuffer(source) ? Readable.from([source]) : source, sink);
      await this.#send(key, path);
      return sink.result();
    } finally {
      if (!Buffer.isBuffer(source)) source.destroy();
      await rm(folder, { recursive: true, force: true });
    }
  }

  async writeCached(key: string, bytes: Buffer): Promise<void> {
    await this.write(key, bytes);
  }

  async putFile(key: string, path: string): Promise<void> {
    checkKey(key);
    await statRegular(path);
    await this.#send(key, path);
  }

  async getFile(key: string, path: string): Promise<void> {
    await pipeline(await this.read(key), createWriteStream(path, { flags: "wx" }));
  }

  async copy(from: string, to: string): Promise<void> {
    const isShared = await transaction((tx) => copyFileKey(tx, checkKey(from), checkKey(to)));
    if (!isShared) throw new FileGoneError(from);
  }

  /** UploadThing cannot change the headers of a response: the file is `application/octet-stream`. */
  async signDownload(key: string, { seconds }: SignedDownload): Promise<string> {
    const remoteKey = await requireRemoteKey(key);
    const { ufsUrl } = await this.#api.generateSignedURL(remoteKey, { expiresIn: seconds });
    return ufsUrl;
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const { ufsUrl } = await this.#api.generateSignedURL(await requireRemoteKey(key));
    const headers = new Headers(range && { Range: `bytes=${range.start}-${range.end}` });
    const { status, body } = await streamFetch(ufsUrl, { headers });
    if (status === (range ? 206 : 200) && body) return Readable.from(body);
    await body?.cancel();
    if (status === 404) throw new FileGoneError(key);
    throw new Error(`the store responded with status ${status}`);
  }

  async readBytes(key: string): Promise<Buffer> {
    return buffer(await this.read(key));
  }

  async removeAll(prefix: string): Promise<void> {
    // Safe to repeat after a crash: a second call continues where the first one stopped.
    await unsetCurrentFiles(db(), checkKey(prefix));
    await this.#delete(await listOrphans(db(), prefix));
    await deleteUnusedFileKeys(db(), prefix);
  }

  async check(): Promise<void> {
    await this.#api.listFiles({ limit: 1 });
  }

  /** Incomplete and replaced files are deleted by `removeAll` of their prefix. */
  async #send(key: string, path: string): Promise<void> {
    const file = createToken();
    await insertStoredFile(db(), { file, key });
    const type = "application/octet-stream";
    const blob = new UTFile([await openAsBlob(path)], "file", { customId: file, type });
    const { data, error } = await this.#api.uploadFiles(blob, { contentDisposition: "attachment" });
    if (error) throw new Error(`the store rejected the file: ${error.message}`, { cause: error });
    if (await transaction((tx) => setCurrentFile(tx, { file, key, remoteKey: data.key }))) return;
    await this.#delete([file]);
    throw new FileGoneError(key);
  }

  async #delete(files: readonly string[]): Promise<void> {
    for (let first = 0; first < files.length; first += deleteBatchFiles) {
      const batch = files.slice(first, first + deleteBatchFiles);
      const { success } = await this.#api.deleteFiles(batch, { keyType: "customId" });
      if (!success) throw new Error("the store deleted no files");
    }
  }
}

/** Returns UploadThing's key of the file. Throws `FileGoneError`. */
async function requireRemoteKey(key: string): Promise<string> {
  const remoteKey = await findRemoteKey(db(), checkKey(key));
  if (!remoteKey) throw new FileGoneError(key);
  return remoteKey;
}
