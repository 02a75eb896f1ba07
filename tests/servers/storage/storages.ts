import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalStorage } from "#lib/storage/local.ts";
import type { Storage } from "#lib/storage/port.ts";
import { S3Storage } from "#lib/storage/s3.ts";
import { UploadThingStorage } from "#lib/storage/uploadthing.ts";
import { listFilesBelow } from "#tests/support/list-below.ts";
import { type S3Server, startS3Server } from "./s3.ts";
import { startUploadThingServer } from "./uploadthing.ts";

/** A storage under test, and the files behind it. */
export interface TestStorage {
  readonly storage: Storage;
  /** Names of all stored files, including unfinished ones. */
  listFiles(): Promise<string[]>;
  close(): Promise<void>;
}

/** Opens each storage that `STORAGE` can select, on this machine. */
export const storageOpeners: Record<string, () => Promise<TestStorage>> = {
  async local() {
    const folder = await mkdtemp(join(tmpdir(), "mediamill-storage-"));
    return {
      storage: new LocalStorage(folder),
      listFiles: () => listFilesBelow(folder),
      close: () => rm(folder, { recursive: true, force: true, maxRetries: 10 }),
    };
  },
  async s3() {
    const server = await startS3Server();
    return { storage: openS3(server), listFiles: server.listFiles, close: server.close };
  },
  async uploadthing() {
    const server = await startUploadThingServer();
    const storage = new UploadThingStorage(server.options);
    return { storage, listFiles: server.listFiles, close: server.close };
  },
};

/** Opens the bucket of `server`; `maxRequestBytes` replaces S3's limit of one request. */
export function openS3({ variables }: S3Server, maxRequestBytes?: number): S3Storage {
  return new S3Storage({
    bucket: variables.S3_BUCKET ?? "",
    region: variables.S3_REGION ?? "",
    endpoint: variables.S3_ENDPOINT,
    accessKeyId: variables.S3_ACCESS_KEY_ID ?? "",
    secretAccessKey: variables.S3_SECRET_ACCESS_KEY ?? "",
    ...(maxRequestBytes ? { maxRequestBytes } : {}),
  });
}
