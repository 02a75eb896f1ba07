import { readFile } from "node:fs/promises";
import { type Browser, launch } from "puppeteer";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { animated } from "#lib/operations/image/animated/index.ts";
import {
  makeTestFrames,
  makeTestImage,
  readPixels,
  toSample,
} from "#tests/samples/images/images.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { launchOptions } from "#tests/support/chromium.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launch(launchOptions as Parameters<typeof launch>[0]);
});

afterAll(async () => {
  await browser.close();
});

const solid = async (background: string, width = 120, height = 80) => {
  const create = { width, height, channels: 4, background } as const;
  return toSample("png", await sharp({ create }).png().toBuffer());
};

async function run(samples: Sample[], params: Record<string, unknown> = {}) {
  const { outputs } = await runOperation(animated, samples, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return output;
}

interface Decoded {
  readonly frames: number;
  /** How often the animation is repeated; 0 is never. */
  readonly repetitions: number;
  /** The duration of each frame in milliseconds, and the color of the pixel in the middle. */
  readonly shown: readonly (readonly [duration: number, ...rgba: number[]])[];
}

/** What a browser shows of an animation. */
async function decodeInBrowser(path: string, type: string): Promise<Decoded> {
  const page = await browser.newPage();
  // The decoder is in secure contexts only, such as a page on disk.
  await page.goto(`file://${import.meta.filename}`);
  const data = (await readFile(path)).toString("base64");
  const script = `(async () => {
    const data = Uint8Array.from(atob("${data}"), (character) => character.charCodeAt(0));
    const decoder = new ImageDecoder({ data, type: "image/${type}" });
    await decoder.tracks.ready;
    await decoder.completed;
    const { frameCount: frames, repetitionCount } = decoder.tracks.selectedTrack;
    const shown = [];
    for (let frameIndex = 0; frameIndex < frames; frameIndex++) {
      const { image } = await decoder.decode({ frameIndex });
      const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight).getContext("2d");
      canvas.drawImage(image, 0, 0);
      const middle = [image.displayWidth >> 1, image.displayHeight >> 1, 1, 1];
      shown.push([image.duration / 1000, ...canvas.getImageData(...middle).data]);
    }
    return { frames, repetitions: repetitionCount === Infinity ? -1 : repetitionCount, shown };
  })()`;
  const decoded = await page.evaluate(script);
  await page.close();
  // The script above.
  return decoded as Decoded;
}

const types = { webp: "webp", gif: "gif", avif: "avif", apng: "png" } as const;

describe.each(Object.entries(types))("%s", (format, type) => {
  test("has all images in order, each for the delay, forever", async () => {
    const samples = [await solid("#ff0000"), await solid("#00ff0080"), await solid("#0000ff")];
    const output = await run(samples, { format, delay: 250 });
    expect(output).toMatchObject({ width: 120, height: 80, extension: type });
    const { frames, repetitions, shown } = await decodeInBrowser(output.path, type);
    expect([frames, repetitions]).toEqual([3, -1]);
    // GIF has no partial transparency.
    const alpha = format === "gif" ? 255 : 128;
    const expected = [
      [250, 255, 0, 0, 255],
      [250, 0, 255, 0, alpha],
      [250, 0, 0, 255, 255],
    ];
    for (const [index, values] of expected.entries()) {
      for (const [at, value] of values.entries()) {
        expect(Math.abs((shown[index]?.[at] ?? 0) - value)).toBeLessThan(5);
      }
    }
  });

  test("is shown as often as loop says", async () => {
    const samples = [await solid("#ff0000"), await solid("#0000ff")];
    const output = await run(samples, { format, loop: 3 });
    const { repetitions } = await decodeInBrowser(output.path, type);
    expect(repetitions).toBe(2);
  });

  test("keeps opaque photographs", async () => {
    const image = makeTestImage({ width: 96, height: 64 });
    const first = await toSample("jpeg", await image.jpeg({ quality: 95 }).toBuffer());
    const second = await toSample(
      "jpeg",
      await image.clone().flip().jpeg({ quality: 95 }).toBuffer(),
    );
    const output = await run([first, second], { format });
    const { frames, shown } = await decodeInBrowser(output.path, type);
    expect(frames).toBe(2);
    for (const [index, sample] of [first, second].entries()) {
      const { samples } = await readPixels(sample.path);
      const at = (32 * 96 + 48) * 3;
      for (const channel of [0, 1, 2]) {
        const difference = (shown[index]?.[channel + 1] ?? 0) - (samples[at + channel] ?? 0);
        expect(Math.abs(difference)).toBeLessThan(20);
      }
    }
  });
});

test("an AVIF has the right frames, size and times for ffmpeg too", async () => {
  const samples = [await solid("#ff0000", 121, 79), await solid("#00ff00", 121, 79)];
  const { path } = await run(samples, { format: "avif", delay: 400 });
  const entries = "stream=codec_name,width,height,duration,nb_read_frames";
  const flags = ["-v", "error", "-count_frames", "-show_entries", entries, "-of", "csv=p=0", path];
  const report = execProgram("ffprobe", flags).toString();
  expect(report.trim()).toBe("av1,121,79,0.800000,2");
});

describe("images of other sizes, types and orientations", () => {
  test("fit into the size of the first one, on transparent pixels", async () => {
    const output = await run([await solid("#ff0000"), await solid("#00ff00", 50, 200)]);
    expect(await sharp(output.path, { pages: -1 }).metadata()).toMatchObject({
      pages: 2,
      width: 120,
      pageHeight: 80,
      delay: [100, 100],
      loop: 0,
    });
    const { samples } = await readPixels(output.path);
    const alphaAt = (x: number, y: number) => samples[((80 + y) * 120 + x) * 4 + 3];
    expect([alphaAt(2, 40), alphaAt(60, 2), alphaAt(60, 78), alphaAt(118, 40)]).toEqual([
      0, 255, 255, 0,
    ]);
  });

  test("JPEG with an orientation, CMYK, 16 bits and the first frame of an animation", async () => {
    const image = makeTestImage({ width: 60, height: 90 });
    const frames = await makeTestFrames(["#aa3333", "#33aa33"], 60, 90);
    const samples = [
      await toSample(
        "jpeg",
        await image.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
      ),
      await toSample("jpeg", await image.clone().withIccProfile("cmyk").jpeg().toBuffer()),
      await toSample("png", await makeTestImage({ bits: 16, channels: 1 }).png().toBuffer()),
      await toSample("gif", await frames.gif().toBuffer()),
    ];
    const output = await run(samples);
    expect(output).toMatchObject({ width: 90, height: 60 });
    const expected = { pages: 4, width: 90, pageHeight: 60 };
    expect(await sharp(output.path, { pages: -1 }).metadata()).toMatchObject(expected);
  });
});

describe("errors", () => {
  test("too many pixels together are too complex", async () => {
    const samples = [await solid("#ff0000"), await solid("#00ff00"), await solid("#0000ff")];
    const limits = { imagePixels: 25_000 };
    const made = runOperation(animated, samples, {}, {}, undefined, limits);
    await expect(made).rejects.toMatchObject({ code: "too_complex" });
  });

  test("a damaged image is corrupt", async () => {
    const bytes = await makeTestImage().png().toBuffer();
    const damaged = await toSample("png", bytes.subarray(0, bytes.length / 2));
    await expect(run([await solid("#ff0000"), damaged])).rejects.toMatchObject({
      code: "corrupt",
      message: expect.stringMatching(/^Input 2, [^:]+: /),
    });
  });

  test.each([
    [{ format: "mp4" }],
    [{ delay: 9 }],
    [{ delay: 0.5 }],
    [{ loop: -1 }],
    [{ loop: 1001 }],
    [{ fps: 10 }],
  ])("%j is rejected", (params) => {
    expect(animated.params.safeParse(params).success).toBe(false);
  });
});
