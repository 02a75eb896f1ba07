import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { requireTimeInside } from "#lib/engines/ffmpeg/media-time.ts";
import { defineOperation } from "../../define.ts";
import { side, time, videos } from "../../fields/index.ts";
import { writeAnimation } from "./write-animation.ts";

export const gif = defineOperation({
  id: "video/gif",
  title: "Video to GIF",
  summary: "Convert a part of a video to an animated GIF with a palette made for it.",
  accepts: videos,
  params: z.strictObject({
    start: time("Start of the part in the video.").default(0),
    duration: z.number().min(0.1).max(60).default(5).meta({
      description: "Length of the part in seconds. It ends with the video.",
      control: "slider",
      unit: "s",
    }),
    width: side(
      "Width of the GIF. Its height follows from the aspect ratio. A video that is narrower is not enlarged.",
      1920,
    ).default(480),
    fps: z.number().min(1).max(50).default(15).meta({
      description: "Frames per second, at most those of the video, or 5 if it has fewer.",
      control: "slider",
      unit: "fps",
    }),
    loop: z.number().int().min(0).max(1000).default(0).meta({
      description: "How often the GIF plays. 0 is without end.",
    }),
  }),
  example: { duration: 2, width: 320 },
  sample: { input: "video.mp4", params: { start: 1, duration: 3, width: 400 } },
  produces: () => "gif",
  partial: true,
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const total = video.duration ?? info.duration ?? 0;
    requireTimeInside("start", params.start, total);
    const duration = Math.min(params.duration, Math.max(0.1, total - params.start));
    const source = { file: input, info, video, work, signal, progress };
    return { outputs: [await writeAnimation({ ...source, ...params, duration })] };
  },
});
