import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { RequestError } from "#lib/errors.ts";
import { FileGoneError } from "#lib/storage/port.ts";
import { RemoteStorage } from "#lib/storage/remote.ts";
import { S3Storage } from "#lib/storage/s3.ts";
import { UnavailableError } from "#lib/unavailable.ts";
import { httpServer } from "#tests/servers/net.ts";
import { freePort } from "#tests/service/stack.ts";

const open = async (host?: string) =>
  new RemoteStorage(
    new S3Storage({
      bucket: "files",
      region: "none",
      endpoint: `http://${host ?? `127.0.0.1:${await freePort()}`}`,
      accessKeyId: "id",
      secretAccessKey: "secret",
      idleMs: 200,
    }),
  );

it("every operation on a store that does not respond throws UnavailableError", async () => {
  const storage = await open();
  const source = () => Readable.from([Buffer.from("text")]);
  await expect(storage.write("a/b", source())).rejects.toThrow(UnavailableError);
  await expect(storage.read("a/b")).rejects.toThrow(UnavailableError);
  await expect(storage.copy("a/b", "a/c")).rejects.toThrow(UnavailableError);
  await expect(storage.removeAll("a")).rejects.toThrow(UnavailableError);
  await expect(storage.direct?.find("a/b")).rejects.toThrow(UnavailableError);
});

it("so does every operation on a store that accepts requests and then hangs", async () => {
  const host = await httpServer((request) => request.resume());
  const storage = await open(host);
  await expect(storage.write("a/b", Buffer.from("text"))).rejects.toThrow(UnavailableError);
  await expect(storage.read("a/b")).rejects.toThrow(UnavailableError);
  await expect(storage.removeAll("a")).rejects.toThrow(UnavailableError);
});

it("and the reading of a file whose store hangs in the middle", async () => {
  const host = await httpServer((_request, response) => {
    response.writeHead(200, { "content-length": "1000" }).write("beginning");
  });
  await expect((await open(host)).readBytes("a/b")).rejects.toThrow(UnavailableError);
});

it.each([
  ["a missing file", new FileGoneError("a/b")],
  ["an aborted request", new RequestError("invalid_request", "The body broke off.")],
])("%s is rethrown unchanged", async (_what, error) => {
  const inner = await open();
  inner.read = () => Promise.reject(error);
  await expect(new RemoteStorage(inner).read("a/b")).rejects.toBe(error);
});
