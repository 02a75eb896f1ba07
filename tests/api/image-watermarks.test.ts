import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, expect, inject, it } from "vitest";
import { signPath, signThumborPath } from "#lib/images/imgproxy/signature.ts";
import { Client } from "#tests/service/http/client.ts";

const client = new Client();
const service = inject("service").url;
const { url: host, folder } = inject("host");
const name = `mark-${createHash("sha256").update(String(Date.now())).digest("hex").slice(0, 8)}`;

interface Pair {
  readonly id: string;
  readonly key: string;
  readonly salt: string;
}

let pair: Pair;

async function paint(file: string, width: number, height: number, background: string) {
  const image = sharp({ create: { width, height, channels: 3, background } });
  await writeFile(join(folder, `${name}-${file}.png`), await image.png().toBuffer());
}

beforeAll(async () => {
  const created = await client.postJson("/v1/images/keys", {});
  pair = (await created.json()) as Pair;
  await paint("white", 10, 6, "#ffffff");
  await paint("red", 3, 2, "#ff0000");
});

const url = (file: string) => `${host}/${name}-${file}.png`;

/** Where the picture is red: its rows as letters. */
async function readMarks(picture: string): Promise<string[]> {
  const response = await fetch(picture);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.status, bytes.toString().slice(0, 200)).toBe(200);
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const letter = (x: number, y: number) => ((data[(y * width + x) * 3 + 1] ?? 0) < 50 ? "w" : ".");
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => letter(x, y)).join(""),
  );
}

const empty = "..........";

it.each([
  ["wm:1:soea:1:1", [empty, empty, empty, "......www.", "......www.", empty]],
  ["wm:1:re:1:2", [empty, empty, "ww.www.www", "ww.www.www", empty, empty]],
])("a URL of imgproxy with %s gets a watermark", async (options, rows) => {
  const mark = Buffer.from(url("red")).toString("base64url");
  const path = `/${options}/wmu:${mark}/f:png/plain/${url("white")}`;
  const secrets = { key: Buffer.from(pair.key, "hex"), salt: Buffer.from(pair.salt, "hex") };
  const picture = `${service}/i/${pair.id}/${signPath(secrets, path)}${path}`;
  expect(await readMarks(picture)).toEqual(rows);
});

it.each([
  ["-1,1,0", [empty, "......www.", "......www.", empty, empty, empty]],
  ["repeat,center,0", [empty, empty, "wwwwwwwww.", "wwwwwwwww.", empty, empty]],
])("a URL of thumbor with watermark(…,%s) gets one", async (args, rows) => {
  const path = `filters:watermark(${url("red")},${args}):format(png)/${url("white")}`;
  const picture = `${service}/t/${pair.id}/${signThumborPath(pair.key, path)}/${path}`;
  expect(await readMarks(picture)).toEqual(rows);
});
