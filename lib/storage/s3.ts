import { createReadStream, createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { Meter } from "./meter.ts";
import {
  type ByteRange,
  checkKey,
  type DirectUploads,
  FileGoneError,
  type Storage,
  type StoredFile,
} from "./port.ts";
import { copyInParts } from "./s3-copy.ts";

export interface S3Options {
  readonly bucket: string;
  readonly region: string;
  /** Of a store other than Amazon's; also what the signed addresses begin with. */
  readonly endpoint?: string | undefined;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The most that one request may put or copy; S3's own limit is 5 GiB. */
  readonly maxRequestBytes?: number;
}

/** Held in memory for each file that is written; 10,000 parts of it are the most that fit: 156 GiB. */
const partBytes = 16 * 1024 ** 2;
const partsAtOnce = 2;

/** Objects of a bucket, of Amazon S3 or of any store that speaks its protocol. */
export class S3Storage implements Storage {
  readonly direct: DirectUploads;
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
      // Only Amazon gives each bucket a host name of its own everywhere.
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      // Stores other than Amazon's know neither the trailing checksums nor those of answers.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: {
        connectionTimeout: 5000,
        // A slow download holds its connection; it must not keep others from theirs.
        httpAgent: { maxSockets: 1000 },
        httpsAgent: { maxSockets: 1000 },
      },
    });
    this.direct = {
      address: (key, bytes, expiresAt) => this.#signPut(key, bytes, expiresAt),
      size: (key) => this.#size(key),
    };
  }

  async write(key: string, source: Readable): Promise<StoredFile> {
    const meter = new Meter();
    const upload = new Upload({
      client: this.#client,
      params: { ...this.#at(key), Body: meter },
      partSize: partBytes,
      queueSize: partsAtOnce,
    });
    // It ends once it has taken back the parts that were sent; each side's failure ends the other.
    const sent = upload.done().catch((error: Error) => {
      meter.destroy(error);
      throw error;
    });
    const [flow, arrival] = await Promise.allSettled([pipeline(source, meter), sent]);
    if (flow.status === "rejected") throw flow.reason;
    if (arrival.status === "rejected") throw arrival.reason;
    return meter.result();
  }

  putFile(key: string, path: string): Promise<StoredFile> {
    return this.write(key, createReadStream(path));
  }

  async getFile(key: string, path: string): Promise<void> {
    await pipeline(await this.read(key), createWriteStream(path, { flags: "wx" }));
  }

  async copy(from: string, to: string): Promise<void> {
    const bytes = await this.#size(from);
    const target = this.#at(to);
    const CopySource = `${this.#bucket}/${from}`;
    if (bytes > this.#maxRequestBytes) {
      await copyInParts(this.#client, { ...target, CopySource }, bytes, this.#maxRequestBytes);
      return;
    }
    await orGone(from, this.#client.send(new CopyObjectCommand({ ...target, CopySource })));
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const command = new GetObjectCommand({ ...this.#at(key), Range });
    const { Body } = await orGone(key, this.#client.send(command));
    if (!(Body instanceof Readable)) throw new Error("the store answered without a body");
    return Body;
  }

  async removeAll(prefix: string): Promise<void> {
    const { Bucket, Key } = this.#at(prefix);
    const pages = paginateListObjectsV2({ client: this.#client }, { Bucket, Prefix: `${Key}/` });
    for await (const { Contents = [] } of pages) {
      // A page has 1000 keys at most, which is also the most that one request deletes.
      const Objects = Contents.flatMap((object) => (object.Key ? [{ Key: object.Key }] : []));
      if (Objects.length === 0) continue;
      const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
      const { Errors = [] } = await this.#client.send(command);
      if (Errors.length > 0) throw new Error(`${Errors.length} objects stay: ${Errors[0]?.Code}`);
    }
  }

  async #size(key: string): Promise<number> {
    const head = await orGone(key, this.#client.send(new HeadObjectCommand(this.#at(key))));
    return head.ContentLength ?? 0;
  }

  /** The length is signed too, so that the store takes no other. */
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

/** What was asked for; `FileGoneError` where there is no such object. */
async function orGone<T>(key: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    // To HEAD there is no body that could tell a missing key from a missing bucket.
    const isGone =
      error instanceof S3ServiceException && ["NoSuchKey", "NotFound"].includes(error.name);
    throw isGone ? new FileGoneError(key, { cause: error }) : error;
  }
}
