import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { spriteSheet } from "#lib/operations/pipeline/sprite-sheet/index.ts";
import { planSprites } from "#lib/operations/pipeline/sprite-sheet/plan-sprites.ts";
import { frameAt, h264, makeVideo, pixelAt, testPattern } from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

/** A video of 4.2 s with 10 frames/s; each frame has the luma 16 + 5 × its number. */
const counter = () => {
  const source = testPattern("size=96x54:rate=10:duration=4.2", "color");
  const luma = "geq=lum='16+5*N':cb=128:cr=128";
  return makeVideo("mp4", ...source, "-vf", luma, ...h264, "-qp", "4");
};

const cuePattern =
  /^(\d\d):(\d\d):(\d\d\.\d{3}) --> (\d\d):(\d\d):(\d\d\.\d{3})\n(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)$/;

function readCues(path: string) {
  const [header, ...cues] = readFileSync(path, "utf8").trimEnd().split("\n\n");
  expect(header).toBe("WEBVTT");
  return cues.map((text) => {
    const [, h1, m1, s1, h2, m2, s2, url = "", ...box] = cuePattern.exec(text) ?? [];
    const seconds = (h = "", m = "", s = "") => Number(h) * 3600 + Number(m) * 60 + Number(s);
    const [left = 0, top = 0, width = 0, height = 0] = box.map(Number);
    return { start: seconds(h1, m1, s1), end: seconds(h2, m2, s2), url, left, top, width, height };
  });
}

async function make(params: Record<string, unknown>, filename = "video.mp4") {
  const sample = { path: counter(), type: "mp4", filename } as const;
  const { outputs, result, warnings } = await runOperation(spriteSheet, sample, params);
  const [image, cues] = outputs;
  if (!image || !cues || outputs.length > 2) throw new Error("not two outputs");
  return {
    image,
    frame: frameAt(image.path),
    cues: readCues(cues.path),
    file: cues,
    result,
    warnings,
  };
}

describe("the cues", () => {
  it("point at the frames of their time, in several rows", async () => {
    const { frame, cues, image, result, warnings } = await make({
      columns: 2,
      width: 32,
      interval: 1,
    });
    expect(cues.map(({ start, end }) => [start, end])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 4.2],
    ]);
    expect([image.width, image.height]).toEqual([64, 54]);
    expect([frame.width, frame.height]).toEqual([64, 54]);
    const numbers = cues.map(({ left, top, width, height }) => {
      expect([width, height]).toEqual([32, 18]);
      const [red] = pixelAt(frame, left + width / 2, top + height / 2);
      return Math.round((red * 219) / 255 / 5);
    });
    expect(numbers).toEqual([5, 15, 25, 35, 41]);
    expect(result).toMatchObject({ rows: 3, columns: 2, count: 5, interval: 1 });
    expect(warnings).toBeUndefined();
  });

  it("name the image as it is stored, as a URL", async () => {
    const { image, file, cues } = await make({}, "Zürich & Genève #2 --> 100%.mp4");
    expect(image.filename).toBe("Zürich & Genève #2 --> 100%.jpg");
    expect(file.filename).toBe("Zürich & Genève #2 --> 100%.vtt");
    expect(cues).toHaveLength(1);
    const { pathname, hash } = new URL(cues[0]?.url ?? "", "https://a.example/x/");
    expect(decodeURIComponent(pathname)).toBe(`/x/${image.filename}`);
    expect(hash).toBe("");
  });
});

it("a video shorter than the interval has one frame, of its middle", async () => {
  const { frame, cues } = await make({ columns: 10, width: 96 });
  expect([frame.width, frame.height]).toEqual([96, 54]);
  expect(cues).toMatchObject([{ start: 0, end: 4.2, left: 0, top: 0 }]);
  expect(Math.round((pixelAt(frame, 48, 27)[0] * 219) / 255 / 5)).toBe(21);
});

describe("the plan of a long video", () => {
  it.each([
    [{ width: 160, height: 90 }, 10, 5],
    [{ width: 160, height: 284 }, 10, 5],
    [{ width: 1000, height: 562 }, 16, 1],
    [{ width: 16, height: 9 }, 1, 0.1],
  ])("fits into one image: %j × %d", (frame, columns, interval) => {
    const duration = 6 * 3600;
    const plan = planSprites(duration, interval, columns, frame);
    expect(plan.times.count).toBeLessThanOrEqual(2000);
    expect(plan.rows * frame.height).toBeLessThanOrEqual(16_383);
    expect(plan.rows * frame.height * columns * frame.width).toBeLessThanOrEqual(50_000_000);
    expect(plan.interval).toBeGreaterThan(interval);
    // All of the video, and no interval beyond it.
    expect(plan.times.count * plan.interval).toBeGreaterThanOrEqual(duration);
    expect((plan.times.count - 1) * plan.interval).toBeLessThan(duration);
  });
});

it("warns of a longer interval", async () => {
  const path = makeVideo("mp4", ...testPattern("size=16x16:rate=1:duration=600"), ...h264);
  const params = { columns: 1, width: 100, interval: 1 };
  const { result, warnings } = await runOperation(spriteSheet, { path, type: "mp4" }, params);
  expect(result).toMatchObject({ count: 163, interval: 3.7 });
  expect(warnings?.[0]).toContain("3.7 seconds");
});

it.each([{ columns: 0 }, { width: 15 }, { interval: 0.05 }, { columns: 100, width: 164 }])(
  "%j is rejected",
  (params) => {
    expect(spriteSheet.params.safeParse(params).success).toBe(false);
  },
);
