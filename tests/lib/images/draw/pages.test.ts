import { writeFile } from "node:fs/promises";
import sharp from "sharp";
import { expect, it } from "vitest";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { drawPicture } from "#lib/images/draw/worker-functions.ts";
import { defaultPlan } from "#lib/images/plan/plan.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

const size = { width: 20, height: 10 };
const colors = ["#000000", "#808080", "#ffffff"];

async function paintPages(format: "gif" | "tiff", count: number): Promise<Buffer> {
  const samples = colors
    .slice(0, count)
    .map((color) => Buffer.alloc(size.width * size.height * 3, color.slice(1), "hex"));
  const raw = {
    width: size.width,
    height: size.height * count,
    channels: 3,
    pageHeight: size.height,
  } as const;
  return sharp(Buffer.concat(samples), { raw }).toFormat(format).toBuffer();
}

async function draw(source: Buffer, page: number) {
  const work = temporaryWorkFolder();
  const file = work.input("bin");
  await writeFile(file.path, source);
  const { outputs } = await callInWorker(drawPicture, {
    files: [file],
    options: { plan: { ...defaultPlan, format: "png", page }, preferred: [] },
    work,
    signal: new AbortController().signal,
  });
  const { data, info } = await sharp(outputs[0]?.path)
    .removeAlpha()
    .toColorspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const color = `#${data.subarray(0, 3).toString("hex")}`;
  return { width: info.width, height: info.height, page: colors.indexOf(color) };
}

it.each([
  ["gif", 3, 1, 1],
  ["gif", 3, 2, 2],
  ["gif", 3, 3, 2],
  ["tiff", 3, 1, 1],
  ["tiff", 3, 99_999, 2],
  ["gif", 1, 5, 0],
  ["tiff", 1, 5, 0],
] as const)("of a %s of %i pages, page %i is %i", async (format, count, page, expected) => {
  const drawn = await draw(await paintPages(format, count), page);
  expect(drawn).toEqual({ ...size, page: expected });
});
