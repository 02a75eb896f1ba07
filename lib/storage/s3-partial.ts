import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { freeTemporary } from "#lib/files/temporary-memory.ts";
import { ChunkQueue, limitBytes } from "./partial-source.ts";
import type { DirectParts, PartialFile, PartialFiles, PartialWrite } from "./port.ts";

/** Finds objects of the bucket. */
export interface S3Bucket {
  readonly client: S3Client;
  readonly at: (key: string) => { Bucket: string; Key: string };
  /** The size of an object. Throws `FileGoneError`. */
  readonly size: (key: string) => Promise<number>;
}

/** What the store lists of a part. */
interface StoredPart {
  readonly bytes: number;
  readonly etag: string | undefined;
}

/**
 * Unfinished files of a bucket, as its multipart uploads. The store takes no part below 5 MiB except the
 * last one: what a request leaves of a part is an object of its own, its tail, which the next request
 * reads again.
 */
export class S3PartialFiles implements PartialFiles {
  readonly parts: DirectParts;
  readonly #bucket: S3Bucket;

  constructor(bucket: S3Bucket) {
    this.#bucket = bucket;
    this.parts = {
      signUrl: (...args) => this.#signPart(...args),
      list: async (file) => {
        const parts = await this.#listParts(file);
        return new Map([...parts].map(([number, { bytes }]) => [number, bytes]));
      },
    };
  }

  async begin(key: string): Promise<string> {
    const command = new CreateMultipartUploadCommand(this.#bucket.at(key));
    const { UploadId } = await this.#bucket.client.send(command);
    if (!UploadId) throw new Error("the store began no upload");
    return UploadId;
  }

  async append(
    file: PartialFile,
    source: AsyncIterable<Buffer>,
    write: PartialWrite,
  ): Promise<void> {
    const { partBytes } = file;
    const queue = new ChunkQueue();
    const tailBytes = write.offset % partBytes;
    if (tailBytes > 0) queue.add(await this.#readTail(file.key, write.offset));
    let start = write.offset - tailBytes;
    let recorded = write.offset;
    const record = async (offset: number) => {
      if (!(await write.onStored(offset))) return;
      if (recorded % partBytes > 0) await this.#deleteTail(file.key, recorded);
      recorded = offset;
    };
    // After a part that failed, there is no place for what comes behind it.
    let isBroken = false;
    const sendPart = async () => {
      isBroken = true;
      const body = joinChunks(queue.take(), partBytes, queue);
      await this.#sendPart(file, start / partBytes + 1, body);
      start += body.length;
      await record(start);
      isBroken = false;
    };
    try {
      for await (const chunk of limitBytes(source, write.bytes)) {
        queue.add(chunk);
        while (queue.bytes >= partBytes) await sendPart();
      }
    } finally {
      const end = start + queue.bytes;
      const isRecorded = isBroken || end === recorded;
      if (!isRecorded && queue.bytes === 0) await record(end);
      else if (!isRecorded && end === file.bytes) await sendPart();
      else if (!isRecorded) {
        await this.#writeTail(file.key, end, joinChunks(queue.take(), partBytes, queue));
        await record(end);
      }
    }
  }

  async finish(file: PartialFile): Promise<void> {
    try {
      const parts = await this.#listParts(file);
      const Parts = [...parts].map(([PartNumber, { etag: ETag }]) => ({ PartNumber, ETag }));
      const completed = { ...this.#uploadOf(file), MultipartUpload: { Parts } };
      await this.#bucket.client.send(new CompleteMultipartUploadCommand(completed));
    } catch (error) {
      // The last request may have finished it and then failed.
      if (!isNoSuchUpload(error)) throw error;
      if ((await this.#bucket.size(file.key)) !== file.bytes) throw error;
    }
  }

  async discard(file: PartialFile): Promise<void> {
    try {
      await this.#bucket.client.send(new AbortMultipartUploadCommand(this.#uploadOf(file)));
    } catch (error) {
      if (!isNoSuchUpload(error)) throw error;
    }
  }

  /** The length is signed, too, so that the store rejects any other. */
  #signPart(file: PartialFile, number: number, bytes: number, expiresAt: Date): Promise<string> {
    const part = { ...this.#uploadOf(file), PartNumber: number, ContentLength: bytes };
    const expiresIn = Math.floor((expiresAt.getTime() - Date.now()) / 1000);
    return getSignedUrl(this.#bucket.client, new UploadPartCommand(part), { expiresIn });
  }

  async #listParts(file: PartialFile): Promise<Map<number, StoredPart>> {
    const found = new Map<number, StoredPart>();
    // S3 names the last part of every page, also of the last page: the client's own paginator would never end.
    let PartNumberMarker: string | undefined;
    do {
      const command = new ListPartsCommand({ ...this.#uploadOf(file), PartNumberMarker });
      const page = await this.#bucket.client.send(command);
      for (const { PartNumber = 0, Size = 0, ETag } of page.Parts ?? []) {
        found.set(PartNumber, { bytes: Size, etag: ETag });
      }
      PartNumberMarker = page.IsTruncated ? page.NextPartNumberMarker : undefined;
    } while (PartNumberMarker !== undefined);
    return found;
  }

  async #sendPart(file: PartialFile, number: number, Body: Buffer): Promise<void> {
    const part = { ...this.#uploadOf(file), PartNumber: number, Body };
    await this.#bucket.client.send(new UploadPartCommand(part));
  }

  async #readTail(key: string, offset: number): Promise<Buffer> {
    const command = new GetObjectCommand(this.#bucket.at(tailKey(key, offset)));
    const { Body } = await this.#bucket.client.send(command);
    return buffer(Body as Readable); // Node's client has no other kind of body
  }

  async #writeTail(key: string, offset: number, Body: Buffer): Promise<void> {
    const at = this.#bucket.at(tailKey(key, offset));
    await this.#bucket.client.send(new PutObjectCommand({ ...at, Body }));
  }

  async #deleteTail(key: string, offset: number): Promise<void> {
    await this.#bucket.client.send(new DeleteObjectCommand(this.#bucket.at(tailKey(key, offset))));
  }

  #uploadOf({ key, storeId }: PartialFile) {
    if (storeId === null) throw new Error("the file has no id of the store");
    return { ...this.#bucket.at(key), UploadId: storeId };
  }
}

/** Each tail has a key of its own, so that the one before it stays until the new offset is recorded. */
function tailKey(key: string, offset: number): string {
  return `${key}-tail-${offset}`;
}

/** At most `maxBytes` of the chunks as one buffer. The rest goes back to the queue. */
function joinChunks(chunks: readonly Buffer[], maxBytes: number, queue: ChunkQueue): Buffer {
  const total = chunks.reduce((sum, { length }) => sum + length, 0);
  const joined = Buffer.allocUnsafeSlow(Math.min(total, maxBytes));
  let at = 0;
  for (const chunk of chunks) {
    const copied = chunk.copy(joined, at);
    at += copied;
    // A copy: the memory of the chunk is freed.
    if (copied < chunk.length) queue.add(Buffer.from(chunk.subarray(copied)));
    freeTemporary(chunk);
  }
  return joined;
}

function isNoSuchUpload(error: unknown): boolean {
  return error instanceof S3ServiceException && error.name === "NoSuchUpload";
}
