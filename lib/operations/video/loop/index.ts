import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { toVideoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import { limitError } from "#lib/limits/limits.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { videos } from "#lib/operations/fields/index.ts";
import { loopVideo } from "./loop-video.ts";

export const loop = defineOperation({
  id: "video/loop",
  title: "Loop video",
  summary: "Repeat a video, without re-encoding.",
  accepts: videos,
  params: z.strictObject({
    count: z
      .number()
      .int()
      .min(2)
      .max(100)
      .describe("How many times the video plays, from 2 to 100."),
  }),
  example: { count: 2 },
  sample: { input: "video.mp4", params: { count: 2 } },
  produces: (type) => toVideoContainer(type),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params: { count }, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const { duration } = work.limits;
    if ((info.duration ?? 0) * count > duration) throw limitError("duration", duration);
    const file = { input, info, video, work, signal, progress };
    return { outputs: [await loopVideo(file, count)] };
  },
});
