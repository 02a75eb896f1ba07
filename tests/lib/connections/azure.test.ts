import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { createAzureSigner } from "#lib/connections/stores/azure.ts";

const accountKey = Buffer.alloc(64, 7).toString("base64");
const signer = createAzureSigner({ account: "mystorage", container: "videos", accountKey });
const path = "a/фото #1 %20?&.txt";

/** Whether Azure would accept the URL of a blob: by its rules for service signatures. */
function isSigned(url: string): boolean {
  const { pathname, searchParams } = new URL(url);
  const read = (name: string) => searchParams.get(name) ?? "";
  const resource = `/blob/mystorage${decodeURIComponent(pathname)}`;
  const lines = [
    ...[read("sp"), read("st"), read("se"), resource, read("si"), read("sip"), read("spr")],
    ...[read("sv"), read("sr"), "", read("ses"), "", "", "", "", ""],
  ];
  const key = Buffer.from(accountKey, "base64");
  const signature = createHmac("sha256", key).update(lines.join("\n")).digest("base64");
  return read("sig") === signature;
}

it("requests for blobs are signed with the account's key, each for one permission", async () => {
  const [get, put, remove] = await Promise.all([
    signer.get(path),
    signer.put(path, { contentType: "text/plain", overwrite: false }),
    signer.delete(path),
  ]);
  for (const { url } of [get, put, remove]) {
    expect(isSigned(url)).toBe(true);
    expect(isSigned(url.replace("/a/", "/b/"))).toBe(false);
  }
  const permissions = [get, put, remove].map(({ url }) => new URL(url).searchParams.get("sp"));
  expect(permissions).toEqual(["r", "cw", "d"]);
  expect(put.headers).toMatchObject({ "x-ms-blob-type": "BlockBlob", "If-None-Match": "*" });
});

it("a list of Azure is read with its folders", async () => {
  const list = await signer.list({ prefix: "a/", limit: 2, isFlat: true });
  expect(Object.fromEntries(new URL(list.url).searchParams)).toMatchObject({
    restype: "container",
    comp: "list",
    prefix: "a/",
    delimiter: "/",
  });
  const md5 = "d41d8cd98f00b204e9800998ecf8427e";
  const xml = `\uFEFF<?xml version="1.0" encoding="utf-8"?><EnumerationResults><Blobs><BlobPrefix><Name>a/2026/</Name></BlobPrefix><Blob><Name>${path.replace("&", "&amp;")}</Name><Properties><Last-Modified>Thu, 26 Nov 2026 15:04:05 GMT</Last-Modified><Etag>0x1</Etag><Content-Length>3</Content-Length><Content-MD5>${Buffer.from(md5, "hex").toString("base64")}</Content-MD5></Properties></Blob></Blobs><NextMarker>next</NextMarker></EnumerationResults>`;
  const modifiedAt = new Date("2026-11-26T15:04:05Z");
  expect(signer.parseList(xml)).toEqual({
    files: [{ path, bytes: 3, modifiedAt, etag: "0x1", md5 }],
    folders: ["a/2026/"],
    nextCursor: "next",
  });
});
