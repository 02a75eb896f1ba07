import { describe, expect, it } from "vitest";
import { JobError } from "#lib/errors.ts";
import type { Operation } from "#lib/operations/define.ts";
import { videoWatermark } from "#lib/operations/pipeline/video-watermark.ts";
import { framerate } from "#lib/operations/video/framerate.ts";
import { overlayText } from "#lib/operations/video/overlay-text.ts";
import { previewClip } from "#lib/operations/video/preview-clip.ts";
import { badMedia } from "#tests/support/bad-media.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";
import { ffprobe, frameAt, makeVideo, picture, streamsOf } from "#tests/support/videos.ts";

const logo = (): Sample => ({
  path: makeVideo("png", ...picture("size=32x18", "color"), "-frames:v", "1"),
  type: "png",
});

const jobs: readonly [Operation, Record<string, unknown>][] = [
  [overlayText, { text: "Hi" }],
  [previewClip, { duration: 1 }],
  [framerate, { fps: 12 }],
  [videoWatermark, {}],
];

const broken = badMedia.filter((row) => row.fails);
const odd = badMedia.filter((row) => !row.fails);

function run(operation: Operation, sample: Sample, params: Record<string, unknown>) {
  return runOperation(operation, sample, params, operation.files ? { watermark: logo() } : {});
}

describe.each(jobs)("$id", (operation, params) => {
  it.each(broken)("refuses $id in a plain sentence", async ({ type, build, fails }) => {
    const error = await run(operation, { path: build(), type }, params).catch(
      (caught: unknown) => caught,
    );
    if (!(error instanceof JobError))
      throw new Error("did not fail as a job does", { cause: error });
    expect(fails).toContain(error.code);
    expect(error.message).toMatch(/^[A-Z][^/\\\n]*\.$/);
    expect(error.message).not.toMatch(/ffmpeg|file:|0x/);
  });
});

// The watermark is laid over in the same way as the text.
describe.each(jobs.slice(0, 3))("$id", (operation, params) => {
  it.each(odd)("copes with $id", async ({ type, build }) => {
    const { outputs } = await run(operation, { path: build(), type }, params);
    const path = outputs[0]?.path ?? "";
    expect(streamsOf(path, "video")[0]?.width).toBeGreaterThan(0);
    const seconds = Number(ffprobe(path).format.duration);
    expect(seconds).toBeGreaterThan(0.1);
    expect(seconds).toBeLessThan(4);
    expect(Math.abs((outputs[0]?.duration ?? 0) - seconds)).toBeLessThan(1.1);
  });
});

it("keeps the first frame's size, and the drawing, where frames change size", async () => {
  const row = badMedia.find(({ id }) => id === "frames that change size");
  if (!row) throw new Error("no such row");
  const white = { text: "▇▇▇▇▇▇▇▇", x: 0, y: 0, fontsize: 50 };
  const { outputs } = await run(overlayText, { path: row.build(), type: row.type }, white);
  const path = outputs[0]?.path ?? "";
  expect(streamsOf(path, "video")[0]).toMatchObject({ width: 96, height: 54 });
  for (const seconds of [0.2, 1.5]) {
    const frame = frameAt(path, seconds);
    expect([frame.width, frame.height]).toEqual([96, 54]);
    const bright = frame.data.subarray(0, 96 * 3 * 20).filter((value) => value > 225).length;
    expect(bright).toBeGreaterThan(800);
  }
});
