import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FileGoneError } from "#lib/storage/port.ts";
import { RemoteStorage } from "#lib/storage/remote.ts";
import { storageOpeners, type TestStorage } from "#tests/servers/storage/storages.ts";

const key = "outputs/job_a/0";
const download = {
  seconds: 60,
  contentType: "image/png",
  contentDisposition: `inline; filename="a _b_.png"; filename*=UTF-8''a%20%22b%22.png`,
};

describe.each(["s3", "uploadthing"])("a signed URL of %s for downloads", (name) => {
  let opened: TestStorage;
  let url = "";

  beforeAll(async () => {
    const open = storageOpeners[name] ?? expect.fail("there is no such storage");
    opened = await open();
    await opened.storage.write(key, Readable.from([Buffer.from("hello")]));
    url = (await new RemoteStorage(opened.storage).signDownload?.(key, download)) ?? "";
  });
  afterAll(() => opened.close());

  it("returns the file, or a range of it", async () => {
    expect(await (await fetch(url)).text()).toBe("hello");
    const part = await fetch(url, { headers: { range: "bytes=1-2" } });
    expect([part.status, await part.text()]).toEqual([206, "el"]);
  });

  it("returns nothing when it is altered or expired", async () => {
    const signing = opened.storage.signDownload?.(key, { ...download, seconds: 1 });
    const expiring = (await signing) ?? "";
    await new Promise((resolve) => setTimeout(resolve, 2100));
    const altered = [url.replace(/.$/, (last) => (last === "0" ? "1" : "0")), expiring];
    for (const one of altered) expect((await fetch(one)).ok).toBe(false);
  });
});

it("S3 sends the type and the name that are signed", async () => {
  const { storage, close } = (await storageOpeners.s3?.()) ?? expect.fail("there is no S3");
  await storage.write(key, Readable.from([Buffer.from("hello")]));
  const { headers } = await fetch((await storage.signDownload?.(key, download)) ?? "");
  await close();
  expect(headers.get("content-type")).toBe(download.contentType);
  expect(headers.get("content-disposition")).toBe(download.contentDisposition);
});

it("UploadThing has no signed URL of a file that was deleted", async () => {
  const { storage, close } = (await storageOpeners.uploadthing?.()) ?? expect.fail("no server");
  const signing = new RemoteStorage(storage).signDownload?.("outputs/job_none/0", download);
  await expect(signing).rejects.toThrow(FileGoneError);
  await close();
});

it("local storage has no signed URLs", async () => {
  const { storage, close } = (await storageOpeners.local?.()) ?? expect.fail("no storage");
  expect(storage.signDownload).toBeUndefined();
  await close();
});
