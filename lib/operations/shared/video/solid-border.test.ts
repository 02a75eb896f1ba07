import { expect, it } from "vitest";
import { parseInfo, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { ffmpeg, testPattern } from "#tests/samples/videos.ts";
import { solidBorder } from "./solid-border.ts";

it.each(
  [
    ["yuv420p", "yuv422p", "yuv444p", "yuv440p", "yuv411p", "yuv420p10le"],
    ["yuv422p10le", "yuv444p10le", "yuv420p12le", "yuv444p12le", "yuva420p", "gbrp"],
  ].flat(),
)("keeps the frames as they are: %s", (pixelFormat) => {
  const video = { index: 0, codec_type: "video", pix_fmt: pixelFormat, width: 32, height: 16 };
  const info = parseInfo(JSON.stringify({ streams: [video] }));
  const border = solidBorder(requireVideo(info), { width: 32, height: 32 }, "#00ff00");
  // Values that need all bits.
  const source = [`format=${pixelFormat}`, "lut=c0=val+1:c1=val+1"];
  const decode = (filters: readonly string[]) =>
    ffmpeg(
      ...testPattern("size=32x16:rate=1:duration=1"),
      "-vf",
      [...source, ...filters, `format=${pixelFormat}`].join(","),
      "-f",
      "rawvideo",
      "-",
    );
  expect(decode([...border, "crop=32:16:0:8"]).equals(decode([]))).toBe(true);
});
