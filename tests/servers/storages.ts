import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalStorage } from "#lib/storage/local.ts";
import type { Storage } from "#lib/storage/port.ts";
import { S3Storage } from "#lib/storage/s3.ts";
import { UploadThingStorage } from "#lib/storage/uploadthing.ts";
import { type S3Server, startS3Server } from "./s3.ts";
import { startUploadThingServer } from "./uploadthing.ts";

/** A storage under test, and what is really kept behind it. */
export interface TestStorage {
  readonly storage: Storage;
  /** Names of all files that are kept, unfinished ones too. */
  held(): Promise<string[]>;
  stop(): Promise<void>;
}

/** Every storage that `STORAGE` may name, on this machine. */
export const openers: Record<string, () => Promise<TestStorage>> = {
  async local() {
    const folder = await mkdtemp(join(tmpdir(), "mediamill-storage-"));
    return {
      storage: new LocalStorage(folder),
      async held() {
        const entries = await readdir(folder, { recursive: true, withFileTypes: true });
        return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
      },
      stop: () => rm(folder, { recursive: true, force: true }),
    };
  },
  async s3() {
    const server = await startS3Server();
    return { storage: openS3(server), held: server.held, stop: server.stop };
  },
  async uploadthing() {
    const server = await startUploadThingServer();
    const storage = new UploadThingStorage(server.options);
    return { storage, held: server.held, stop: server.stop };
  },
};

/** The bucket of `server`; `maxRequestBytes` makes S3's limit of one request as small as a test needs it. */
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
