import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import { blackDetect } from "#lib/operations/video/black-detect/index.ts";
import { h264, makeVideo, sampleVideo, testPattern, tone } from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function detect(path: string, params: Record<string, unknown> = {}) {
  const type = mediaTypeOfExtension(path.split(".").at(-1) ?? "").id;
  const { outputs, result } = await runOperation(blackDetect, { path, type }, params);
  expect(JSON.parse(readFileSync(outputs[0]?.path ?? "", "utf8"))).toEqual(result);
  return result as { intervals: { start: number; end: number; duration: number }[]; total: number };
}

/** Black where `expression` is true, of `color`. */
function blackWhile(expression: string, color = "black", ...options: string[]): string {
  const source = testPattern("size=160x90:rate=25:duration=4");
  const filter = `drawbox=t=fill:c=${color}:enable='${expression}'`;
  return makeVideo("mp4", ...source, "-vf", filter, ...h264, ...options);
}

const middle = "between(t,1,1.97)";

describe("the intervals", () => {
  it("begin with the first black frame and end with the next other one", async () => {
    const { intervals, total } = await detect(blackWhile(middle));
    expect(intervals).toEqual([{ start: 1, end: 2, duration: 1 }]);
    expect(total).toBe(1);
  });

  it("may be at the start and at the end", async () => {
    const { intervals } = await detect(blackWhile("lt(t,0.6)+gt(t,2.99)"));
    expect(intervals.map(({ start, end }) => [start, Math.round(end * 25) / 25])).toEqual([
      [0, 0.6],
      [3, 4],
    ]);
  });

  it.each([
    [0.5, 1],
    [0.2, 2],
    [1.1, 0],
  ])("of at least %d s are reported: %i", async (duration, count) => {
    const path = blackWhile(`${middle}+between(t,3,3.21)`);
    expect((await detect(path, { duration })).intervals).toHaveLength(count);
  });

  it.each([
    [0.1, 0],
    [0.3, 1],
  ])("are those darker than the threshold (%d → %i)", async (threshold, count) => {
    const path = blackWhile(middle, "0x333333");
    expect((await detect(path, { threshold })).intervals).toHaveLength(count);
  });

  it("are found in full-range video", async () => {
    const range = ["-pix_fmt", "yuvj420p", "-color_range", "pc"];
    const { intervals } = await detect(blackWhile(middle, "black", ...range));
    expect(intervals).toEqual([{ start: 1, end: 2, duration: 1 }]);
  });

  it("are none in a bright video", async () => {
    expect(await detect(sampleVideo())).toEqual({ intervals: [], total: 0 });
  });
});

it("rejects audio", async () => {
  const path = makeVideo("mp4", ...tone(1), "-c:a", "aac");
  await expect(detect(path)).rejects.toMatchObject({ code: "unsupported_type" });
  expect(blackDetect.params.safeParse({ duration: 0 }).success).toBe(false);
});
