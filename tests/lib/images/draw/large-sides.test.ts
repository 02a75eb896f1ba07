import { writeFile } from "node:fs/promises";
import sharp from "sharp";
import { expect, it } from "vitest";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { drawPicture } from "#lib/images/draw/worker-functions.ts";
import { defaultPlan, type ImagePlan, type PictureFormat } from "#lib/images/plan/plan.ts";
import { parseThumborPath } from "#lib/images/thumbor/parse-path.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

/** Sides that are longer than some formats allow. */

async function draw(
  source: Buffer,
  plan: Partial<ImagePlan>,
  preferred: readonly PictureFormat[] = ["avif", "webp"],
) {
  const work = temporaryWorkFolder();
  const file = work.input("bin");
  await writeFile(file.path, source);
  const { outputs, result } = await callInWorker(drawPicture, {
    files: [file],
    options: { plan: { ...defaultPlan, ...plan }, preferred },
    work,
    signal: new AbortController().signal,
  });
  const { format, width, height, pages } = await sharp(outputs[0]?.path).metadata();
  expect(result).toMatchObject({ width });
  return { format, width, height, pages };
}

function paint(width: number, background: string) {
  return sharp({ create: { width, height: 20, channels: 4, background } });
}

const size = (width: number) => ({ width, height: 20, enlarge: true, resize: "force" }) as const;

it.each([
  [16_383, "heif"],
  [16_384, "heif"],
  [16_385, "jpeg"],
])("a picture %i pixels wide is in the best format that it fits: %s", async (width, format) => {
  const source = await paint(100, "red").jpeg().toBuffer();
  expect(await draw(source, size(width))).toMatchObject({ format, width, height: 20 });
});

it("the next format may fit", async () => {
  const source = await paint(100, "red").jpeg().toBuffer();
  const drawn = await draw(source, size(16_384), ["webp", "avif"]);
  expect(drawn.format).toBe("heif");
});

it.each([
  ["#ff000080", {}, "png"],
  ["#ff0000", { autoJpeg: true }, "jpeg"],
])("the source is %s, and with %j the format is %s", async (color, plan, format) => {
  const source = await paint(100, color).png().toBuffer();
  expect((await draw(source, { ...size(17_000), ...plan })).format).toBe(format);
});

it("a picture of thumbor, too", async () => {
  const source = await paint(100, "red").jpeg().toBuffer();
  const { plan } = parseThumborPath("17000x20/https://a.example/a.jpg");
  expect(await draw(source, plan)).toMatchObject({ format: "jpeg", width: 17_000 });
});

it("an animation stays one", async () => {
  const frames = ["red", "blue"].map((color) => paint(100, color).gif().toBuffer());
  const source = await sharp(await Promise.all(frames), { join: { animated: true } })
    .webp()
    .toBuffer();
  const drawn = await draw(source, size(17_000), ["webp"]);
  expect(drawn).toMatchObject({ format: "gif", width: 17_000, pages: 2 });
});

it("a format that the URL names is not changed", async () => {
  const source = await paint(100, "red").jpeg().toBuffer();
  const message = expect.stringContaining("too large for its format");
  const drawn = draw(source, { ...size(17_000), format: "webp" }, []);
  await expect(drawn).rejects.toMatchObject({ message });
});
