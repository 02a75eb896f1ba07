import { createHash } from "node:crypto";
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateUrl } from "@imgproxy/imgproxy-js-core";
import sharp from "sharp";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { signPath, signThumborPath } from "#lib/images/imgproxy/signature.ts";
import { projectFolder } from "#lib/setup/node24.mjs";
import { makeBlackPng } from "#tests/samples/images/image-bytes.ts";
import { makeTestImage } from "#tests/samples/images/images.ts";
import { makePages } from "#tests/samples/pdf/drawn-pdf.ts";
import { countRequests } from "#tests/servers/request-counter.ts";
import { Client, createClient } from "#tests/service/http/client.ts";
import { readUsageRows, setUsage } from "#tests/service/usage.ts";
import { expectError } from "#tests/support/expect-error.ts";
import { listBelow } from "#tests/support/list-below.ts";

const client = new Client();
const service = inject("service").url;
const { url: host, folder } = inject("host");

interface Pair {
  readonly id: string;
  readonly key: string;
  readonly salt: string;
}

let pair: Pair;
let source: string;
const name = `picture-${createHash("sha256").update(String(Date.now())).digest("hex").slice(0, 8)}`;

async function createPair(body: object = {}, owner = client): Promise<Pair> {
  const response = await owner.postJson("/v1/images/keys", body);
  expect(response.status).toBe(201);
  return (await response.json()) as Pair;
}

/** The URL of a picture, signed as imgproxy's clients do it. */
function sign(path: string, { id, key, salt } = pair): string {
  const secrets = { key: Buffer.from(key, "hex"), salt: Buffer.from(salt, "hex") };
  return `${service}/i/${id}/${signPath(secrets, path)}${path}`;
}

function signForThumbor(path: string): string {
  return `${service}/t/${pair.id}/${signThumborPath(pair.key, path)}/${path}`;
}

async function read(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { response, bytes };
}

async function readPicture(url: string, headers: Record<string, string> = {}) {
  const { response, bytes } = await read(url, headers);
  expect(response.status, bytes.toString().slice(0, 200)).toBe(200);
  return { response, bytes, metadata: await sharp(bytes).metadata() };
}

beforeAll(async () => {
  pair = await createPair();
  await writeFile(
    join(folder, `${name}.jpg`),
    await makeTestImage({ width: 200, height: 100 }).jpeg().toBuffer(),
  );
  source = `${host}/${name}.jpg`;
});

it("a file in a connection of the account is a source, of another account not", async () => {
  const fields = { type: "webdav", name: "Files", url: host, username: "anna", password: "b" };
  const created = await client.postJson("/v1/connections", fields);
  const { id } = (await created.json()) as { readonly id: string };
  const path = (file: string) => `/rs:fill:30:20/plain/${id}:${file}`;
  const { metadata } = await readPicture(sign(path(`${name}.jpg`)));
  expect(metadata).toMatchObject({ format: "jpeg", width: 30, height: 20 });
  expect((await read(sign(path("../secret.jpg")))).response.status).toBe(404);
  const other = await createPair({}, await createClient());
  expect((await read(sign(path(`${name}.jpg`), other))).response.status).toBe(404);
});

describe("a signed URL", () => {
  it.each([
    ["/rs:fill:50:50", "jpeg", 50, 50],
    ["/w:100/f:png", "png", 100, 50],
    ["/rs:fit:80:80:0:1/bg:ff0000", "jpeg", 80, 80],
    ["/rot:90/pd:5/f:webp", "webp", 110, 210],
  ])("%s is answered with the picture", async (options, format, width, height) => {
    const { metadata, response } = await readPicture(sign(`${options}/plain/${source}`));
    expect(metadata).toMatchObject({ format, width, height });
    expect(response.headers.get("content-type")).toBe(`image/${format}`);
    expect(response.headers.get("vary")).toBe("Accept");
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000");
  });

  it("is valid after a proxy has merged its slashes", async () => {
    const merged = (url: string) => url.replace(`/${source}`, `/${source.replace("//", "/")}`);
    const url = merged(sign(`/w:90/plain/${source}`));
    expect((await readPicture(url)).metadata.width).toBe(90);
    const thumbor = merged(signForThumbor(`90x45/${source}`));
    expect((await readPicture(thumbor)).metadata.width).toBe(90);
  });

  it("of imgproxy's own client works", async () => {
    const path = generateUrl(
      { value: Buffer.from(source).toString("base64url"), type: "base64" },
      {
        resize: { resizing_type: "fill", width: 60, height: 40 },
        gravity: { type: "no" },
        format: "webp",
      },
    );
    const { metadata } = await readPicture(sign(path));
    expect(metadata).toMatchObject({ format: "webp", width: 60, height: 40 });
  });

  it.each([
    ["bmp", "image/bmp"],
    ["ico", "image/vnd.microsoft.icon"],
    ["heic", "image/heic"],
  ])("may ask for %s, of which another picture can be made", async (format, type) => {
    const { response, bytes } = await read(sign(`/w:120/f:${format}/plain/${source}`));
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
    await writeFile(join(folder, `${name}.${format}`), bytes);
    const decoded = await readPicture(sign(`/f:png/plain/${host}/${name}.${format}`));
    expect(decoded.metadata).toMatchObject({ format: "png", width: 120, height: 60 });
    const direct = await readPicture(sign(`/w:120/f:png/plain/${source}`));
    const pixels = (bytes: Buffer) => sharp(bytes).removeAlpha().raw().toBuffer();
    const [one, other] = [await pixels(decoded.bytes), await pixels(direct.bytes)];
    const sum = one.reduce((total, value, at) => total + Math.abs(value - (other[at] ?? 0)), 0);
    expect(sum / one.length).toBeLessThan(format === "heic" ? 8 : 0.01);
  });

  it("may have a video, of which it is a frame", async () => {
    await copyFile(
      join(projectFolder, "public/samples/inputs/video.mp4"),
      join(folder, `${name}.mp4`),
    );
    const frames = [];
    for (const options of ["w:160", "w:160/vts:0", "w:160/vts:99999"]) {
      const { metadata, bytes } = await readPicture(sign(`/${options}/plain/${host}/${name}.mp4`));
      expect(metadata).toMatchObject({ format: "jpeg", width: 160 });
      frames.push(createHash("sha256").update(bytes).digest("hex"));
    }
    expect(new Set(frames).size).toBe(frames.length);
  });

  it("may have a PDF, of which it is a page", async () => {
    const pages = makePages([{ box: [0, 0, 200, 100] }, { box: [0, 0, 100, 200] }]);
    await writeFile(join(folder, `${name}.pdf`), pages);
    const first = await readPicture(sign(`/rs:fit:80:80/plain/${host}/${name}.pdf`));
    expect(first.metadata).toMatchObject({ width: 80, height: 40 });
    const second = await readPicture(sign(`/rs:fit:80:80/pg:1/plain/${host}/${name}.pdf`));
    expect(second.metadata).toMatchObject({ width: 40, height: 80 });
    const last = await readPicture(sign(`/rs:fit:80:80/pg:9/plain/${host}/${name}.pdf`));
    expect(last.metadata).toMatchObject({ width: 40, height: 80 });
  });

  it("of thumbor works", async () => {
    const path = `fit-in/80x80/filters:fill(red):format(png)/${source}`;
    const { metadata } = await readPicture(signForThumbor(path));
    expect(metadata).toMatchObject({ format: "png", width: 80, height: 80 });
  });

  it("may have an upload as its source", async () => {
    const bytes = await makeTestImage({ width: 30, height: 20 }).png().toBuffer();
    const created = await (
      await client.postJson("/v1/uploads", { filename: "a.png", bytes: bytes.length })
    ).json();
    await fetch(created.url, { method: "PUT", body: new Uint8Array(bytes) });
    const { metadata } = await readPicture(sign(`/w:15/plain/${created.id}`));
    expect(metadata).toMatchObject({ format: "png", width: 15, height: 10 });
    const other = await createPair({}, await createClient("free"));
    expect((await read(sign(`/w:15/plain/${created.id}`, other))).response.status).toBe(404);
  });

  it("gets the format that the client prefers", async () => {
    const url = sign(`/w:40/plain/${source}`);
    const formats = [
      "image/avif,image/webp,*/*",
      "image/webp",
      "image/avif;q=0, image/webp",
      "*/*",
    ];
    const found = [];
    for (const accept of formats) {
      found.push((await read(url, { accept })).response.headers.get("content-type"));
    }
    expect(found).toEqual(["image/avif", "image/webp", "image/webp", "image/jpeg"]);
  });

  it("is not sent again if the client has it", async () => {
    const url = sign(`/w:41/plain/${source}`);
    const { response } = await read(url);
    const etag = response.headers.get("etag") ?? "";
    const modified = response.headers.get("last-modified") ?? "";
    expect((await read(url, { "if-none-match": `W/"x", ${etag}` })).response.status).toBe(304);
    expect((await read(url, { "if-modified-since": modified })).response.status).toBe(304);
    expect((await read(url, { "if-none-match": '"x"' })).response.status).toBe(200);
    const head = await fetch(url, { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(head.headers.get("content-length")).toBe(response.headers.get("content-length"));
  });

  it("may ask for the size of the source", async () => {
    const path = `/plain/${source}`;
    const url = sign(path).replace(`/i/${pair.id}/`, `/i/${pair.id}/info/`);
    expect(JSON.parse((await read(url)).bytes.toString())).toMatchObject({
      format: "jpeg",
      width: 200,
      height: 100,
    });
  });

  it("of thumbor may ask what would be done with the source", async () => {
    const { response, bytes } = await read(signForThumbor(`meta/50x50/${source}`));
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "application/json",
    ]);
    expect(JSON.parse(bytes.toString()).thumbor).toMatchObject({
      source: { width: 200, height: 100, frameCount: 1 },
      operations: [
        { type: "crop", left: 50, top: 0, right: 150, bottom: 100 },
        { type: "resize", width: 50, height: 50 },
      ],
      target: { width: 50, height: 50 },
    });
  });
});

describe("nothing is fetched", () => {
  const counted = () => `${host}/count/${name}/a.jpg`;

  it.each([
    [
      "without a valid signature",
      () => `${service}/i/${pair.id}/forged/w:10/plain/${counted()}`,
      403,
    ],
    [
      "for a signature of other options",
      () => sign(`/w:10/plain/${counted()}`).replace("w:10", "w:11"),
      403,
    ],
    ["for an unsigned URL", () => `${service}/i/${pair.id}/unsafe/w:10/plain/${counted()}`, 403],
    [
      "for an unsigned URL of thumbor",
      () => `${service}/t/${pair.id}/unsafe/10x10/${counted()}`,
      403,
    ],
    ["for a wrong option", () => sign(`/w:-1/plain/${counted()}`), 404],
    ["after the URL has expired", () => sign(`/exp:1/plain/${counted()}`), 404],
    [
      "for an unknown key",
      () => sign(`/w:10/plain/${counted()}`).replace(/ik_\w+/, `ik_${"0".repeat(24)}`),
      404,
    ],
    ["for a private address", () => sign("/w:10/plain/http://192.168.0.1/a.jpg"), 404],
    ["for another scheme", () => sign("/w:10/plain/file:///etc/passwd"), 404],
  ])("%s", async (_, url, status) => {
    const { response, bytes } = await read(url());
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toContain("text/plain");
    expect(bytes.length).toBeLessThan(200);
    expect(await countRequests(host, name)).toBe(0);
  });
});

describe("a source that is no picture of a page is rejected:", () => {
  it.each([
    ["a text", () => Buffer.from("no image"), 422],
    [
      "a damaged image",
      async () =>
        (await makeTestImage({ width: 64, height: 64 }).png().toBuffer()).subarray(0, 200),
      422,
    ],
    ["100 megapixels", () => makeBlackPng({ width: 10_000, height: 10_000 }), 422],
  ])("%s", async (what, make, status) => {
    const file = `${name}-${what.replaceAll(" ", "-")}.bin`;
    await writeFile(join(folder, file), await make());
    expect((await read(sign(`/w:10/plain/${host}/${file}`))).response.status).toBe(status);
  });

  it.each([
    ["one without an end", "endless", 422],
    ["one that redirects to a private address", "to-private", 404],
  ])("%s, of which no file is left", async (_, path, status) => {
    const { response } = await read(sign(`/w:10/cb:${name}/plain/${host}/${path}`));
    expect(response.status).toBe(status);
    const files = await listBelow(join(inject("service").dataDir, "work"));
    expect(files.filter((file) => file.path.includes("picture-"))).toEqual([]);
  });

  it("a picture in ICO that is too large for it", async () => {
    const { response, bytes } = await read(sign(`/el:1/w:300/f:ico/plain/${source}`));
    expect([response.status, bytes.toString()]).toEqual([422, expect.stringContaining("256")]);
  });

  it("one that does not exist", async () => {
    expect((await read(sign(`/w:10/plain/${host}/missing.jpg`))).response.status).toBe(404);
  });
});

describe("the cache", () => {
  it("makes a picture once, however many ask for it", async () => {
    const own = await createClient("business");
    const ownPair = await createPair({}, own);
    const url = sign(`/w:42/bl:2/plain/${source}`, ownPair);
    const responses = await Promise.all(Array.from({ length: 100 }, () => read(url)));
    expect(new Set(responses.map(({ response }) => response.status))).toEqual(new Set([200]));
    const { byteLength } = await (await fetch(source)).arrayBuffer();
    expect((await readUsageRows(own.email)).at(-1)?.used).toBe(byteLength);
  });

  it("does not depend on the signature of the source's URL", async () => {
    const query = (date: string) => `X-Amz-Signature=${date}&X-Amz-Date=${date}&id=1`;
    const make = (date: string) =>
      sign(`/w:43/plain/${encodeURIComponent(`${source}?${query(date)}`)}`);
    const first = await readPicture(make("1"));
    await copyFile(join(folder, `${name}.jpg`), join(folder, `${name}-before.jpg`));
    await writeFile(
      join(folder, `${name}.jpg`),
      await makeTestImage({ width: 100, height: 100 }).jpeg().toBuffer(),
    );
    const second = await readPicture(make("2"));
    await copyFile(join(folder, `${name}-before.jpg`), join(folder, `${name}.jpg`));
    expect(second.bytes.equals(first.bytes)).toBe(true);
  });

  it.each([
    ["source", (url: string) => ({ source: url })],
    ["prefix", (url: string) => ({ prefix: url.slice(0, -5) })],
  ])("is purged by %s", async (what, body) => {
    const file = `${name}-purged-${what}.png`;
    const paint = (width: number) =>
      makeTestImage({ width, height: 10 }).png().toFile(join(folder, file));
    await paint(10);
    const purged = `${host}/${file}`;
    const url = sign(`/sm:1/plain/${purged}`);
    expect((await readPicture(url)).metadata.width).toBe(10);
    await paint(20);
    expect((await readPicture(url)).metadata.width).toBe(10);
    expect((await client.postJson("/v1/images/purge", body(purged))).status).toBe(204);
    expect((await readPicture(url)).metadata.width).toBe(20);
  });

  it("is purged by a source or a prefix, not both", async () => {
    const both = await client.postJson("/v1/images/purge", { source: "a", prefix: "b" });
    await expectError(both, "invalid_parameter");
  });
});

describe("keys", () => {
  it("are listed without their secrets, and end when they are deleted", async () => {
    const own = await createClient("pro");
    const ownPair = await createPair({ unsigned: true }, own);
    const url = `${service}/i/${ownPair.id}/unsafe/w:44/plain/${source}`;
    expect((await read(url)).response.status).toBe(200);
    const listed = await (await own.request("/v1/images/keys")).json();
    expect(listed.data).toEqual([
      { id: ownPair.id, unsigned: true, created_at: expect.any(String) },
    ]);
    expect(
      (await client.request(`/v1/images/keys/${ownPair.id}`, { method: "DELETE" })).status,
    ).toBe(404);
    expect((await own.request(`/v1/images/keys/${ownPair.id}`, { method: "DELETE" })).status).toBe(
      204,
    );
    expect((await read(url)).response.status).toBe(404);
  });

  it("take no other fields", async () => {
    await expectError(await client.postJson("/v1/images/keys", { plan: "x" }), "invalid_parameter");
  });
});

it("another method gets 405", async () => {
  const response = await fetch(sign(`/w:10/plain/${source}`), { method: "POST" });
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toContain("GET");
});

it("a source counts against the plan, and then its pictures get 429", async () => {
  const own = await createClient("free");
  const ownPair = await createPair({}, own);
  const file = `${name}-large.png`;
  await makeTestImage({ width: 200, height: 100 }).png().toFile(join(folder, file));
  await setUsage(own.email, 1e9 - 100);
  const { response } = await read(sign(`/w:10/plain/${host}/${file}`, ownPair));
  expect(response.status).toBe(429);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
});
