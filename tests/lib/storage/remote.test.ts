import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { RequestError } from "#lib/errors.ts";
import { FileGoneError } from "#lib/storage/port.ts";
import { DistantStorage } from "#lib/storage/remote.ts";
import { S3Storage } from "#lib/storage/s3.ts";
import { UnavailableError } from "#lib/unavailable.ts";
import { freePort } from "#tests/service/stack.ts";

const open = async () =>
  new DistantStorage(
    new S3Storage({
      bucket: "files",
      region: "none",
      endpoint: `http://127.0.0.1:${await freePort()}`,
      accessKeyId: "id",
      secretAccessKey: "secret",
    }),
  );

it("a store that does not answer is an outage, whatever is asked of it", async () => {
  const storage = await open();
  const source = () => Readable.from([Buffer.from("text")]);
  await expect(storage.write("a/b", source())).rejects.toThrow(UnavailableError);
  await expect(storage.read("a/b")).rejects.toThrow(UnavailableError);
  await expect(storage.copy("a/b", "a/c")).rejects.toThrow(UnavailableError);
  await expect(storage.removeAll("a")).rejects.toThrow(UnavailableError);
  await expect(storage.direct?.size("a/b")).rejects.toThrow(UnavailableError);
});

it.each([
  ["a file that is not there", new FileGoneError("a/b")],
  ["a request that breaks off", new RequestError("invalid_request", "The body broke off.")],
])("%s is told as it is", async (_what, error) => {
  const inner = await open();
  inner.read = () => Promise.reject(error);
  await expect(new DistantStorage(inner).read("a/b")).rejects.toBe(error);
});
