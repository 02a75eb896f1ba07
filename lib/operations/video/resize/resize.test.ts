import { describe, expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { resize } from "#lib/operations/video/resize/index.ts";
import { partsOf, richVideo } from "#tests/samples/rich-video.ts";
import {
  audioHashes,
  boxOf,
  ffmpeg,
  frameAt,
  h264,
  makeVideo,
  shortVideo,
  ssim,
  streamsOf,
  testPattern,
  tone,
  videoPackets,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function change(path: string, params: Record<string, unknown>, type: MediaTypeId = "mp4") {
  const { outputs } = await runOperation(resize, { path, type }, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  const frame = frameAt(output.path);
  expect([output.width, output.height]).toEqual([frame.width, frame.height]);
  return { ...output, size: `${frame.width}x${frame.height}`, frame };
}

it.each([
  ["1280x720", { height: 360 }, "bt709"],
  ["320x180", { height: 720 }, "smpte170m"],
  ["320x180", { height: 360 }, undefined],
])("undeclared colors are declared where players would change them: %s %j", async (...row) => {
  const [size, params, expected] = row;
  const path = makeVideo("mp4", ...testPattern(`size=${size}:rate=10:duration=0.2`), ...h264);
  const [video] = streamsOf((await change(path, params)).path, "video");
  expect([video?.color_space, video?.color_primaries, video?.color_transfer]).toEqual([
    expected,
    expected,
    expected,
  ]);
});

describe("the size", () => {
  // The source is 320 × 180.
  it.each([
    [{ width: 160 }, "160x90"],
    [{ height: 360 }, "640x360"],
    [{ width: 101 }, "102x56"],
    [{ width: 200, height: 200 }, "200x112"],
    [{ width: 200, height: 200, fit: "cover" }, "200x200"],
    [{ width: 200, height: 200, fit: "contain" }, "200x200"],
    [{ width: 200, height: 100, fit: "fill" }, "200x100"],
    [{ width: 200, height: 200, fit: "outside" }, "356x200"],
  ])("is as %j says", async (params, size) => {
    const output = await change(shortVideo(), params);
    expect(output.size).toBe(size);
    expect(audioHashes(output.path)).toEqual(audioHashes(shortVideo()));
  });

  it("is in square pixels", async () => {
    const path = makeVideo(
      "mp4",
      ...testPattern("size=180x144:rate=10:duration=0.5"),
      "-vf",
      "setsar=16/9",
      ...h264,
    );
    const output = await change(path, { height: 144 });
    expect(output.size).toBe("320x144");
    expect(streamsOf(output.path, "video")[0]?.sample_aspect_ratio).toBe("1:1");
  });

  it("may be odd where the codec allows it", async () => {
    const path = makeVideo(
      "webm",
      ...testPattern("size=96x54:rate=10:duration=0.5"),
      "-c:v",
      "libvpx-vp9",
      "-deadline",
      "realtime",
    );
    expect((await change(path, { width: 51, height: 33, fit: "fill" }, "webm")).size).toBe("51x33");
  });
});

describe("the picture", () => {
  it("is the scaled one", async () => {
    const output = await change(shortVideo(), { width: 160 });
    expect(ssim(shortVideo(), output.path, "scale=160:90", "null")).toBeGreaterThan(0.97);
  });

  it("is in the middle of a black border", async () => {
    const white = makeVideo(
      "mp4",
      ...testPattern("color=white:size=320x180:rate=10:duration=0.5", "color"),
      ...h264,
    );
    const { frame } = await change(white, { width: 200, height: 200, fit: "contain" });
    const box = boxOf(frame, (red) => red > 128);
    expect(box).toMatchObject({ left: 0, right: 199 });
    expect(Math.abs((box?.top ?? 0) - 44)).toBeLessThanOrEqual(2);
    expect(Math.abs((box?.bottom ?? 0) - 155)).toBeLessThanOrEqual(2);
  });

  it("keeps everything else, upright", async () => {
    const output = await change(richVideo("smpte2084"), { width: 18 });
    const expected = { ...partsOf(richVideo("smpte2084")), size: [18, 32], rotation: undefined };
    expect(partsOf(output.path)).toEqual(expected);
  });

  it("keeps its transparency", async () => {
    const path = makeVideo(
      "webm",
      ...testPattern("color=red@0.5:size=64x36:rate=10:duration=0.5,format=yuva420p", "color"),
      "-c:v",
      "libvpx-vp9",
      "-pix_fmt",
      "yuva420p",
    );
    const output = await change(path, { width: 32 }, "webm");
    const alpha = ffmpeg(
      "-c:v",
      "libvpx-vp9",
      "-i",
      output.path,
      "-vf",
      "alphaextract,format=gray",
      "-frames:v",
      "1",
      "-f",
      "rawvideo",
      "-",
    );
    expect(Math.abs((alpha[100] ?? 0) - 128)).toBeLessThan(6);
  });

  it("is deinterlaced", async () => {
    const path = makeVideo(
      "mp4",
      ...testPattern("size=96x64:rate=50:duration=1"),
      "-vf",
      "tinterlace=interleave_top,setfield=tff",
      "-flags",
      "+ildct+ilme",
      "-c:v",
      "libx264",
    );
    expect(streamsOf(path, "video")[0]?.field_order).toBe("tt");
    const output = await change(path, { width: 48 });
    expect(streamsOf(output.path, "video")[0]?.field_order).toBe("progressive");
  });
});

it("copies the packets if the size is the same", async () => {
  const output = await change(shortVideo(), { width: 320 });
  expect(videoPackets(output.path)).toEqual(videoPackets(shortVideo()));
  expect(audioHashes(output.path)).toEqual(audioHashes(shortVideo()));
});

it("a result larger than 8K is an error", async () => {
  const path = makeVideo(
    "mp4",
    ...testPattern("size=16x320:rate=5:duration=0.4"),
    ...tone(0.4),
    ...h264,
  );
  await expect(change(path, { width: 8192 })).rejects.toMatchObject({ code: "too_complex" });
});

it.each([{}, { width: 0 }, { width: 8193 }, { width: 10.5 }, { width: 10, fit: "stretch" }])(
  "%j is rejected",
  (params) => {
    expect(resize.params.safeParse(params).success).toBe(false);
  },
);
