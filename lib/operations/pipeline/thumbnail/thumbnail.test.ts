import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { fileThumbnail } from "#lib/operations/pipeline/thumbnail/index.ts";
import { makeAudio } from "#tests/samples/audio.ts";
import { makeTestImage, toSample } from "#tests/samples/images/images.ts";
import { makePages } from "#tests/samples/pdf/drawn-pdf.ts";
import { h264, makeVideo, testPattern, tone, videoFolder } from "#tests/samples/videos.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

async function make(sample: Sample, params: Record<string, unknown> = {}) {
  const { outputs, result } = await runOperation(fileThumbnail, sample, params);
  const [output] = outputs;
  if (!output || outputs.length > 1) throw new Error("not one output");
  const { format, width, height, exif } = await sharp(output.path).metadata();
  expect([format, width, height]).toEqual(["jpeg", output.width, output.height]);
  expect(exif).toBeUndefined();
  const { channels, dominant } = await sharp(output.path).stats();
  return {
    width,
    height,
    dominant,
    mean: channels.map(({ mean }) => mean),
    source: result?.source,
  };
}

describe("an image", () => {
  test("is upright and 400 pixels wide, in sRGB", async () => {
    const wide = makeTestImage({ width: 900, height: 600 });
    const turned = await wide.withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const found = await make(await toSample("jpeg", turned));
    expect(found).toMatchObject({ width: 400, height: 600, source: "image" });
  });

  test("is not enlarged, and white where it is transparent", async () => {
    const background = { r: 0, g: 0, b: 0, alpha: 0 };
    const clear = sharp({ create: { width: 90, height: 30, channels: 4, background } });
    const found = await make(await toSample("png", await clear.png().toBuffer()));
    expect(found).toMatchObject({ width: 90, height: 30, mean: [255, 255, 255] });
  });

  test("that is very long becomes narrower; a drawing becomes wider", async () => {
    const long = await makeTestImage({ width: 100, height: 2000 }).png().toBuffer();
    const found = await make(await toSample("png", long), { width: 50 });
    expect(found).toMatchObject({ width: 10, height: 200 });
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path fill="red" d="M0 0h9v9H0z"/></svg>`;
    const drawing = await make(await toSample("svg", Buffer.from(svg)), { width: 300 });
    expect(drawing).toMatchObject({ width: 300, height: 300 });
    expect(drawing.mean[0]).toBeGreaterThan(250);
  });
});

test("a video gives a frame that is not black", async () => {
  const black = testPattern("color=black:size=160x90:rate=10:duration=2", "color");
  const filter = "[0][1]concat[v]";
  const inputs = [...black, ...testPattern("size=160x90:rate=10:duration=4")];
  const path = makeVideo("mp4", ...inputs, "-filter_complex", filter, "-map", "[v]", ...h264);
  const found = await make({ path, type: "mp4" }, { width: 100 });
  expect(found).toMatchObject({ width: 100, height: 56, source: "frame" });
  expect(Math.max(...found.mean)).toBeGreaterThan(60);
});

describe("audio", () => {
  test("gives its cover", async () => {
    const found = await make(makeAudio("mp3", { cover: true }));
    expect(found).toMatchObject({ width: 32, height: 32, source: "cover" });
    expect(found.mean[0]).toBeGreaterThan(200);
  });

  test("without one, and a video without frames, give the waveform", async () => {
    const found = await make(makeAudio("wav"), { width: 200 });
    expect(found).toMatchObject({ width: 200, height: 80, source: "waveform" });
    const path = makeVideo("mp4", ...tone(1), "-c:a", "aac");
    expect(await make({ path, type: "mp4" })).toMatchObject({ height: 160, source: "waveform" });
  });
});

describe("a document", () => {
  test("gives its first page", async () => {
    const path = join(videoFolder(), "pages.pdf");
    const pages = ["1 0 0", "0 0 1"].map((color) => ({ content: `${color} rg 0 0 999 999 re f` }));
    writeFileSync(path, makePages(pages));
    const found = await make({ path, type: "pdf" }, { width: 120 });
    expect(found).toMatchObject({ width: 120, source: "page", dominant: { b: 8 } });
    expect(found.dominant.r).toBeGreaterThan(240);
  });

  test("of plain text, such as subtitles, gives a page of it", async () => {
    const path = join(videoFolder(), "lines.srt");
    writeFileSync(path, `1\n00:00:01,000 --> 00:00:02,000\n${"█".repeat(300)}\n`);
    const found = await make({ path, type: "srt" });
    expect(found.height / found.width).toBeCloseTo(Math.SQRT2, 1);
    expect(found.mean[0]).toBeLessThan(254);
  });
});

test("files with nothing to show are not accepted, and damaged ones are errors", async () => {
  for (const type of ["zip", "7z", "tgz", "unknown"] as const) {
    expect(fileThumbnail.accepts).not.toContain(type);
  }
  const path = join(videoFolder(), "damaged");
  writeFileSync(path, "nothing");
  for (const type of ["jpeg", "mp4", "mp3", "pdf"] as const) {
    await expect(make({ path, type })).rejects.toMatchObject({ code: "corrupt" });
  }
});

test.each([{ width: 15 }, { width: 2049 }, { height: 100 }])("%j is rejected", (params) => {
  expect(fileThumbnail.params.safeParse(params).success).toBe(false);
});
