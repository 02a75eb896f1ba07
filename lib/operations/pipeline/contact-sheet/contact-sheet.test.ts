import { describe, expect, it } from "vitest";
import { contactSheet } from "#lib/operations/pipeline/contact-sheet/index.ts";
import { boxOf, frameAt, h264, makeVideo, pixelAt, testPattern } from "#tests/samples/videos.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation } from "#tests/support/operation.ts";

async function draw(path: string, params: Record<string, unknown>) {
  const { outputs, result } = await runOperation(contactSheet, { path, type: "mp4" }, params);
  const [output] = outputs;
  if (!output || outputs.length > 1) throw new Error("not one output");
  const image = frameAt(output.path);
  expect([image.width, image.height]).toEqual([output.width, output.height]);
  return { image, path: output.path, result };
}

/** A video of 4 s with 10 frames/s; each frame has the luma 16 + 5 × its number. */
const counter = () => {
  const luma = "geq=lum='16+5*N':cb=128:cr=128";
  const source = testPattern("size=96x54:rate=10:duration=4", "color");
  return makeVideo("mp4", ...source, "-vf", luma, ...h264, "-qp", "4");
};

const toNumber = ([red]: readonly number[]) => Math.round(((red ?? 0) * 219) / 255 / 5);

describe("the frames", () => {
  // 340 pixels: gaps of 2, frames of 83, and one pixel more at the right.
  it("are evenly spread, row by row", async () => {
    const { image, result } = await draw(counter(), { columns: 4, rows: 2, width: 343 });
    expect(image).toMatchObject({ width: 343, height: 2 * 47 + 6 });
    expect(result?.frame).toEqual({ width: 83, height: 47 });
    const centers = [0, 1].flatMap((row) =>
      [0, 1, 2, 3].map((column) =>
        toNumber(pixelAt(image, 3 + 41 + column * 85, 2 + 23 + row * 49)),
      ),
    );
    // Averages of two frames where the middle of a part is between them.
    const expected = [2, 7, 12, 17, 22, 27, 32, 37];
    for (const [index, number] of centers.entries()) {
      expect(Math.abs(number - (expected[index] ?? 0))).toBeLessThanOrEqual(1);
    }
  });

  it("have gaps of one size, and the background at the edges", async () => {
    const white = makeVideo(
      "mp4",
      ...testPattern("color=white:size=64x64:rate=5:duration=1", "color"),
      ...h264,
    );
    const { image } = await draw(white, { columns: 3, rows: 3, width: 1000 });
    const isDark = (x: number, y: number) => Math.max(...pixelAt(image, x, y)) < 60;
    const runs: number[] = [];
    for (let x = 0, dark = 0; x < 1000; x++) {
      if (isDark(x, 100)) dark++;
      else if (dark > 0) [runs[runs.length], dark] = [dark, 0];
    }
    expect(runs).toEqual([6, 6, 6]);
    expect(image.height).toBe(3 * 325 + 4 * 6);
    expect([isDark(999, 500), isDark(500, 2), isDark(500, image.height - 2)]).toEqual(
      Array(3).fill(true),
    );
  });

  it("have the aspect ratio of the upright video in square pixels", async () => {
    const pattern = testPattern("size=80x90:rate=5:duration=0.4");
    const wide = makeVideo("mp4", ...pattern, "-vf", "setsar=2/1", ...h264);
    const turned = makeVideo("mp4", "-i", wide, "-c", "copy", "-metadata:s:v", "rotate=90");
    const params = { columns: 1, rows: 1, width: 94 };
    const sizes = [await draw(wide, params), await draw(turned, params)];
    expect(sizes.map(({ result }) => result?.frame)).toEqual([
      { width: 90, height: 51 },
      { width: 90, height: 160 },
    ]);
  });
});

describe("time stamps", () => {
  const flat = (color: string) => {
    const source = testPattern(`${color}:size=64x36:rate=1/20:duration=4000`, "color");
    return makeVideo("mp4", ...source, ...h264);
  };
  const params = { columns: 2, rows: 2, width: 1400, timestamps: true };

  it("are the times of the frames", async () => {
    const { path, result } = await draw(flat("0x303030"), params);
    expect(result?.times).toEqual([500, 1500, 2500, 3500]);
    const text = execProgram("tesseract", [path, "stdout", "--psm", "11"]);
    for (const label of ["08:20", "25:00", "41:40", "58:20"]) expect(`${text}`).toContain(label);
  });

  it("are on a dark plate in the corner, so that they can be read on white", async () => {
    const { image } = await draw(flat("white"), { ...params, columns: 1, rows: 1 });
    const frame = { ...image, height: image.height - 20 };
    const plate = boxOf(frame, (red) => red > 60 && red < 100);
    expect(plate?.left).toBeGreaterThan(1200);
    expect(plate?.top).toBeGreaterThan(680);
  });
});

it("a sheet that is too large is an error, a damaged video too", async () => {
  const tall = makeVideo("mp4", ...testPattern("size=16x320:rate=5:duration=0.4"), ...h264);
  const params = { columns: 1, rows: 20, width: 2000 };
  await expect(draw(tall, params)).rejects.toMatchObject({ code: "too_complex" });
  await expect(draw(import.meta.filename, {})).rejects.toMatchObject({ code: "corrupt" });
});

it.each([
  { columns: 0 },
  { rows: 21 },
  { width: 63 },
  { width: 8193 },
  { columns: 20, width: 300 },
  { timestamps: "yes" },
])("%j is rejected", (params) => {
  expect(contactSheet.params.safeParse(params).success).toBe(false);
});
