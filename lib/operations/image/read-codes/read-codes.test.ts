import { readFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { barcode } from "#lib/operations/image/barcode/index.ts";
import { qrCode } from "#lib/operations/image/qr-code/index.ts";
import { readCodes } from "#lib/operations/image/read-codes/index.ts";
import { makeTestImage, toSample } from "#tests/samples/images/images.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

interface Code {
  type: string;
  text: string;
  box: { left: number; top: number; width: number; height: number };
  corners: { x: number; y: number }[];
}

async function read(sample: Sample): Promise<Code[]> {
  const { outputs, result } = await runOperation(readCodes, sample);
  expect(JSON.parse(await readFile(outputs[0]?.path ?? "", "utf8"))).toEqual(result);
  return result?.codes as Code[];
}

const namesOf = (codes: readonly Code[]) => codes.map(({ type, text }) => `${type} ${text}`);

async function draw(type: string, text: string, size?: number): Promise<Buffer> {
  const operation = type === "qr" ? qrCode : barcode;
  const params = { text, size, ...(type === "qr" ? {} : { type }) };
  const { outputs } = await runOperation(operation, [], params);
  return readFile(outputs[0]?.path ?? "");
}

/** Paper on a gray table: rotated, with uneven light, noise and blur, as a JPEG. */
async function photograph(code: Buffer, angle: number, side = 640): Promise<Sharp> {
  const paper = await sharp(code).rotate(angle, { background: "#ffffff00" }).png().toBuffer();
  const light = `<svg width="${side}" height="${side}"><defs><linearGradient id="a" x2="1" y2="1"><stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="#777"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#a)"/></svg>`;
  const table = sharp({
    create: { width: side, height: side, channels: 3, background: "#c8c0b8" },
  });
  const noise = { type: "gaussian", mean: 128, sigma: 12 } as const;
  const grain = {
    create: { width: side, height: side, channels: 3, background: "#888", noise },
  } as const;
  const composed = await table
    .composite([
      { input: paper, gravity: "center" },
      { input: Buffer.from(light), blend: "multiply" },
      { input: grain, blend: "soft-light" },
    ])
    .png()
    .toBuffer();
  return sharp(await sharp(composed).blur(0.9).jpeg({ quality: 75 }).toBuffer());
}

const toJpeg = async (image: Sharp) => toSample("jpeg", await image.jpeg().toBuffer());

describe("codes that image/qr-code and image/barcode made", () => {
  test.each([
    ["qr", "https://example.com/?a=1", "qrcode"],
    ["datamatrix", "Mill 2041", "datamatrix"],
    ["aztec", "Mill 2041", "aztec"],
    ["pdf417", "Mill 2041", "pdf417"],
    ["microqrcode", "12345", "microqrcode"],
    ["maxicode", "MILL 2041", "maxicode"],
    ["code128", "Mill-2041", "code128"],
    ["code39", "MILL 2041", "code39"],
    ["code93", "MILL 2041", "code93"],
    ["codabar", "A40156B", "codabar"],
    ["itf", "12345678", "itf"],
    ["ean13", "4006381333931", "ean13"],
    ["ean8", "96385074", "ean8"],
    ["upca", "012345678905", "upca"],
    ["upce", "01234565", "upce"],
    ["upce", "04252614", "upce"],
    ["databar", "(01)09521234543213", "databar"],
  ])("%s of %s", async (made, text, type) => {
    const codes = await read(await toSample("png", await draw(made, text)));
    expect(namesOf(codes)).toEqual([`${type} ${text}`]);
  });
});

describe("photographs at an angle", () => {
  test.each([
    ["qr", "https://example.com/menu", 17],
    ["datamatrix", "Mill 2041", 40],
    ["pdf417", "Mill 2041", 28],
    ["code128", "Mill-2041", 45],
    ["code128", "Mill-2041", -12],
    ["ean13", "4006381333931", 70],
    ["code39", "MILL 41", 33],
  ])("%s of %s by %d degrees", async (type, text, angle) => {
    const image = await photograph(await draw(type, text, 400), angle);
    const codes = await read(await toJpeg(image));
    expect(namesOf(codes)).toEqual([`${type === "qr" ? "qrcode" : type} ${text}`]);
    const { left = 0, top = 0, width = 0, height = 0 } = codes[0]?.box ?? {};
    // The code is in the center.
    expect(Math.abs(left + width / 2 - 320)).toBeLessThan(40);
    expect(Math.abs(top + height / 2 - 320)).toBeLessThan(60);
  });

  test("in perspective", async () => {
    const code = sharp(await draw("qr", "https://example.com/menu", 600)).extend({
      top: 150,
      bottom: 150,
      left: 150,
      right: 150,
      background: "#ffffff",
    });
    const tilted = await sharp(await code.png().toBuffer())
      .affine(
        [
          [1, 0.2],
          [0.08, 0.75],
        ],
        { background: "#ffffff" },
      )
      .png()
      .toBuffer();
    expect(namesOf(await read(await toSample("png", tilted)))).toEqual([
      "qrcode https://example.com/menu",
    ]);
  });
});

test("several codes, from top to bottom, with exact boxes", async () => {
  const qr = await draw("qr", "first", 200);
  const ean = await draw("ean13", "4006381333931", 400);
  const page = sharp({ create: { width: 800, height: 1000, channels: 3, background: "#ffffff" } });
  const sheet = page.composite([
    { input: ean, left: 60, top: 600 },
    { input: qr, left: 500, top: 40 },
    { input: qr, left: 30, top: 300 },
  ]);
  const codes = await read(await toSample("png", await sheet.png().toBuffer()));
  expect(namesOf(codes)).toEqual(["qrcode first", "qrcode first", "ean13 4006381333931"]);
  // A code of 21 modules with margins of 4, 6 pixels each, in 200 pixels.
  const { box, corners = [] } = codes[0] ?? {};
  const near = (value = 0, expected: number) => expect(Math.abs(value - expected)).toBeLessThan(4);
  near(box?.left, 500 + 37);
  near(box?.top, 40 + 37);
  near(box?.width, 126);
  near(box?.height, 126);
  near(corners[2]?.x, 500 + 163);
  near(corners[2]?.y, 40 + 163);
});

describe("other images", () => {
  test("EXIF orientation: boxes are in the upright image", async () => {
    const qr = await draw("qr", "turned", 200);
    const page = sharp({ create: { width: 600, height: 300, channels: 3, background: "#ffffff" } });
    const placed = await page
      .composite([{ input: qr, left: 380, top: 20 }])
      .png()
      .toBuffer();
    const turned = sharp(placed).withMetadata({ orientation: 6 });
    const [code] = await read(await toJpeg(turned));
    // Upright, it is 300 × 600, and the code at the bottom right.
    expect(code?.text).toBe("turned");
    expect(code?.box.top).toBeGreaterThan(380);
    expect(code?.box.left).toBeLessThan(300 - 126 - 20);
  });

  test("inverted, transparent, colored, 16 bits and a large photograph", async () => {
    const qr = sharp(await draw("qr", "mill", 300));
    const clear = await runOperation(qrCode, [], { text: "mill", background: "#ffffff00" });
    const large = await photograph(await draw("qr", "mill", 300), 20);
    for (const bytes of [
      await qr.clone().negate({ alpha: false }).png().toBuffer(),
      await readFile(clear.outputs[0]?.path ?? ""),
      await qr.clone().toColourspace("rgb16").png().toBuffer(),
      await qr.clone().tint("#3366ff").webp().toBuffer(),
      await large.resize(4100).png({ compressionLevel: 1 }).toBuffer(),
    ]) {
      const type = bytes.toString("latin1", 8, 12) === "WEBP" ? "webp" : "png";
      expect(namesOf(await read(await toSample(type, bytes)))).toEqual(["qrcode mill"]);
    }
  });

  test("an image without codes has none", async () => {
    expect(await read(await toSample("png", await makeTestImage().png().toBuffer()))).toEqual([]);
    const pixel = await makeTestImage({ width: 1, height: 1 }).png().toBuffer();
    expect(await read(await toSample("png", pixel))).toEqual([]);
  });

  test("a damaged file", async () => {
    const bytes = await makeTestImage().jpeg().toBuffer();
    const sample = await toSample("jpeg", bytes.subarray(0, bytes.length / 2));
    await expect(runOperation(readCodes, sample)).rejects.toMatchObject({ code: "corrupt" });
  });
});
