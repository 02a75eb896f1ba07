import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { videos } from "#lib/operations/fields/index.ts";
import { compressToQuality } from "./compress-to-quality.ts";
import { compressToSize } from "./compress-to-size.ts";

export const compress = defineOperation({
  id: "video/compress",
  title: "Compress video",
  summary: "Make a video smaller, or small enough for a limit, as an MP4 that plays everywhere.",
  accepts: videos,
  params: z
    .strictObject({
      quality: z
        .enum(["low", "medium", "high"])
        .optional()
        .describe("Quality of the output; medium is the default."),
      max_bytes: z
        .number()
        .int()
        .min(10_000)
        .max(64_000_000_000)
        .optional()
        .describe(
          "Largest size of the output in bytes, instead of quality. The output is at most 2 % smaller, unless the video needs less. If the size is too small for the frames, they are made smaller.",
        ),
    })
    .refine(({ quality, max_bytes }) => quality === undefined || max_bytes === undefined, {
      path: ["max_bytes"],
      error: "must not be set together with `quality`",
    }),
  example: { quality: "medium" },
  sample: { input: "video.mp4", params: { max_bytes: 150_000 } },
  produces: () => "mp4",
  live: "frame",
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const file = { input, info, video, work, signal, progress };
    const { quality = "medium", max_bytes: maxBytes } = params;
    const output =
      maxBytes === undefined
        ? await compressToQuality(file, quality, input.bytes)
        : await compressToSize(file, maxBytes, input.bytes);
    return { outputs: [output] };
  },
});
