import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { defineOperation } from "../../define.ts";
import { maxSide, side, videos } from "../../fields/index.ts";
import { countResult } from "../../result-fields.ts";
import { spreadTimes } from "../../shared/video/sample-frames.ts";
import { tileFrames } from "../../shared/video/tile-frames.ts";

export const thumbnailStrip = defineOperation({
  id: "video/thumbnail-strip",
  title: "Thumbnail strip",
  summary: "Save evenly spread frames of a video side by side, as one JPEG.",
  accepts: videos,
  params: z
    .strictObject({
      count: z.number().int().min(1).max(100).default(10).meta({
        description: "Number of frames: each is from the middle of an equal part of the video.",
        control: "slider",
      }),
      width: side(
        "Width of each frame. Its height follows from the aspect ratio. All together have at most " +
          `${maxSide} pixels.`,
        2000,
      ).default(160),
    })
    .refine(({ count, width }) => count * width <= maxSide, {
      path: ["width"],
      error: `times \`count\` must be at most ${maxSide} pixels`,
    }),
  example: { count: 5, width: 120 },
  sample: { input: "video.mp4", params: { count: 8 } },
  produces: () => "jpeg",
  result: z.strictObject({
    width: countResult("Width of each frame, in pixels."),
    height: countResult("Height of each frame, in pixels."),
    times: z.array(z.number()).describe("The times of the frames, in seconds."),
  }),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const { count, width } = params;
    const source = { file: input, info, video, width, work, signal, progress };
    const spread = spreadTimes(video.duration ?? info.duration ?? 0.1, count);
    const layout = { columns: count, rows: 1, format: "jpeg" } as const;
    const { image, frame, times } = await tileFrames(source, spread, layout);
    const rounded = times.map((time) => Math.round(time * 1e3) / 1e3);
    return { outputs: [image], result: { ...frame, times: rounded } };
  },
});
