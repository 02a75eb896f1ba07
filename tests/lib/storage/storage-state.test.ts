import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { LocalStorage } from "#lib/storage/local.ts";
import { RemoteStorage } from "#lib/storage/remote.ts";
import { S3Storage } from "#lib/storage/s3.ts";
import { UnavailableError } from "#lib/unavailable.ts";
import { startS3Server } from "#tests/servers/storage/s3.ts";
import { storageOpeners } from "#tests/servers/storage/storages.ts";
import { freePort } from "#tests/service/stack.ts";

describe.each(Object.entries(storageOpeners))("the check of %s", (_name, open) => {
  it("passes without a stored file", async () => {
    const { storage, close } = await open();
    await expect(storage.check()).resolves.toBeUndefined();
    await close();
  });
});

const options = { bucket: "mediamill", region: "us-east-1", secretAccessKey: "S3RVER" };

it("fails for a bucket that does not exist, and names the reason", async () => {
  const server = await startS3Server();
  const endpoint = server.variables.S3_ENDPOINT;
  const missing = { ...options, bucket: "missing", accessKeyId: "S3RVER", endpoint };
  await expect(new S3Storage(missing).check()).rejects.toMatchObject({ name: "NoSuchBucket" });
  await server.close();
});

it("fails for a store that does not respond", async () => {
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const storage = new RemoteStorage(new S3Storage({ ...options, accessKeyId: "a", endpoint }));
  await expect(storage.check()).rejects.toThrow(UnavailableError);
});

it("fails for a local folder that cannot be created", async () => {
  await expect(new LocalStorage(join(import.meta.filename, "storage")).check()).rejects.toThrow();
});

it("a state is kept for a while, then the storage is checked again", async () => {
  const { readStorageState } = await import("#lib/storage/storage-state.ts");
  const { storage } = await import("#lib/storage/index.ts");
  const broken = new LocalStorage(join(import.meta.filename, "storage"));
  const { check } = storage();
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => {
    Object.assign(storage(), { check });
    vi.useRealTimers();
  });
  expect(await readStorageState()).toBe("ok");
  Object.assign(storage(), { check: () => broken.check() });
  expect(await readStorageState()).toBe("ok");
  vi.advanceTimersByTime(350);
  expect(await readStorageState()).toBe("unavailable");
  Object.assign(storage(), { check });
  vi.advanceTimersByTime(100);
  expect(await readStorageState()).toBe("ok");
});
