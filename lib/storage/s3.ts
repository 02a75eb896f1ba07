import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import {
  CopyObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { streamRegular } from "#lib/files/regular-files.ts";
import { DigestStream, digestBytes } from "./digest.ts";
import {
  type ByteRange,
  checkKey,
  type DirectFile,
  type DirectUploads,
  FileGoneError,
  FileReplacedError,
  type Inspect,
  type PartialFiles,
  type SignedDownload,
  type Storage,
  type StoredFile,
} from "./port.ts";
import { copyInParts } from "./s3-copy.ts";
import { deleteObjects } from "./s3-delete.ts";
import { S3PartialFiles } from "./s3-partial.ts";

export interface S3Options {
  readonly bucket: string;
  readonly region: string;
  /** The endpoint of a store other than Amazon S3; signed URLs begin with it. */
  readonly endpoint?: string | undefined;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The most bytes that one request can upload or copy; 5 GiB by default, the limit of S3. */
  readonly maxRequestBytes?: number;
  /** How long the store may send and receive nothing in the middle of a request, in milliseconds. */
  readonly idleMs?: number;
}

/**
 * By default, what is enough for a store that sends nothing while it copies or assembles a large file, and for clients
 * that pause a download.
 */
const defaultIdleMs = 120_000;

/** Parts are held in memory. With at most 10,000 parts, a file has at most 156 GiB. */
const partBytes = 16 * 1024 ** 2;
const concurrentParts = 2;

/** Stores files in a bucket of Amazon S3, or of a compatible store. */
export class S3Storage implements Storage {
  readonly linksFiles = false;
  readonly direct: DirectUploads;
  readonly partial: PartialFiles;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #maxRequestBytes: number;

  constructor(options: S3Options) {
    const { bucket, region, endpoint, accessKeyId, secretAccessKey } = options;
    this.#bucket = bucket;
    this.#maxRequestBytes = options.maxRequestBytes ?? 5 * 1024 ** 3;
    this.#client = new S3Client({
      region,
      credentials: { accessKeyId, secretAccessKey },
      // Other stores may not have a host name for each bucket.
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      // Other stores support neither trailing checksums nor checksums of responses.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: {
        connectionTimeout: 5000,
        // Without it, a request waits for ever for a store that does not respond.
        socketTimeout: options.idleMs ?? defaultIdleMs,
        // Slow downloads must not block other requests.
        httpAgent: { maxSockets: 1000 },
        httpsAgent: { maxSockets: 1000 },
      },
    });
    this.direct = {
      signUrl: (key, bytes, expiresAt) => this.#signPut(key, bytes, expiresAt),
      find: (key) => this.#find(key),
    };
    this.partial = new S3PartialFiles({
      client: this.#client,
      at: (key) => this.#at(key),
      size: (key) => this.#size(key),
    });
  }

  async write(key: string, source: Readable | Buffer, inspect?: Inspect): Promise<StoredFile> {
    if (Buffer.isBuffer(source)) {
      const stored = digestBytes(source, inspect);
      await this.#client.send(new PutObjectCommand({ ...this.#at(key), Body: source }));
      return stored;
    }
    const digest = new DigestStream(inspect);
    // A failure of one side ends the other; the upload then deletes the parts that were sent.
    const [read, uploaded] = await Promise.allSettled([
      pipeline(source, digest),
      this.#upload(key, digest),
    ]);
    if (read.status === "rejected") throw read.reason;
    if (uploaded.status === "rejected") throw uploaded.reason;
    return digest.result();
  }

  async writeCached(key: string, bytes: Buffer): Promise<void> {
    await this.write(key, bytes);
  }

  async putFile(key: string, path: string): Promise<void> {
    await this.#upload(key, streamRegular(path));
  }

  async getFile(key: string, path: string, version?: string): Promise<void> {
    const source = await this.read(key, undefined, version);
    await pipeline(source, createWriteStream(path, { flags: "wx" }));
  }

  async copy(from: string, to: string, version?: string): Promise<void> {
    const bytes = await this.#size(from);
    const CopySource = `${this.#bucket}/${from}`;
    const copy = { ...this.#at(to), CopySource, CopySourceIfMatch: version };
    const copied =
      bytes > this.#maxRequestBytes
        ? copyInParts(this.#client, copy, bytes, this.#maxRequestBytes)
        : this.#client.send(new CopyObjectCommand(copy));
    await requireObject<unknown>(from, copied);
  }

  async read(key: string, range?: ByteRange, version?: string): Promise<Readable> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const command = new GetObjectCommand({ ...this.#at(key), Range, IfMatch: version });
    const { Body } = await requireObject(key, this.#client.send(command));
    if (!(Body instanceof Readable)) throw new Error("the store sent no body");
    return Body;
  }

  signDownload(key: string, download: SignedDownload): Promise<string> {
    const command = new GetObjectCommand({
      ...this.#at(key),
      ResponseContentType: download.contentType,
      ResponseContentDisposition: download.contentDisposition,
    });
    return getSignedUrl(this.#client, command, { expiresIn: download.seconds });
  }

  async readBytes(key: string): Promise<Buffer> {
    return buffer(await this.read(key));
  }

  async removeAll(prefix: string): Promise<void> {
    const { Bucket, Key } = this.#at(prefix);
    const pages = paginateListObjectsV2({ client: this.#client }, { Bucket, Prefix: `${Key}/` });
    for await (const { Contents = [] } of pages) {
      // A page has at most 1000 keys, the limit of one delete request.
      const keys = Contents.flatMap((object) => object.Key ?? []);
      if (keys.length === 0) continue;
      const { Errors = [] } = await this.#client.send(deleteObjects(Bucket, keys));
      if (Errors.length > 0)
        throw new Error(`${Errors.length} objects not deleted: ${Errors[0]?.Code}`);
    }
  }

  async check(): Promise<void> {
    const command = new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: "check/" });
    await this.#client.send(command);
  }

  /** Uploads `body` to `key`, and destroys it if the upload fails. */
  async #upload(key: string, body: Readable): Promise<void> {
    const options = { partSize: partBytes, queueSize: concurrentParts };
    try {
      const params = { ...this.#at(key), Body: body };
      await new Upload({ client: this.#client, params, ...options }).done();
    } catch (error) {
      body.destroy(error instanceof Error ? error : undefined);
      throw error;
    }
  }

  async #size(key: string): Promise<number> {
    return (await this.#find(key)).bytes;
  }

  async #find(key: string): Promise<DirectFile> {
    const head = await requireObject(key, this.#client.send(new HeadObjectCommand(this.#at(key))));
    return { bytes: head.ContentLength ?? 0, version: head.ETag ?? "" };
  }

  /** The length is signed, too, so that the store rejects any other. */
  async #signPut(key: string, bytes: number, expiresAt: Date): Promise<string | undefined> {
    if (bytes > this.#maxRequestBytes) return undefined;
    const command = new PutObjectCommand({ ...this.#at(key), ContentLength: bytes });
    const expiresIn = Math.floor((expiresAt.getTime() - Date.now()) / 1000);
    return getSignedUrl(this.#client, command, { expiresIn });
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: checkKey(key) };
  }
}

/** Waits for `response`. Throws `FileGoneError` if the object does not exist, `FileReplacedError` if it is another one. */
async function requireObject<T>(key: string, response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (cause) {
    if (!(cause instanceof S3ServiceException)) throw cause;
    if (cause.$metadata.httpStatusCode === 412) throw new FileReplacedError({ cause });
    // A response to HEAD has no body that distinguishes a missing key from a missing bucket.
    throw ["NoSuchKey", "NotFound"].includes(cause.name)
      ? new FileGoneError(key, { cause })
      : cause;
  }
}
