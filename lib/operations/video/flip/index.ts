import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { filterVideo } from "#lib/engines/ffmpeg/video/filter-video.ts";
import { toVideoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import { rotatedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { videos } from "#lib/operations/fields/index.ts";

export const flip = defineOperation({
  id: "video/flip",
  title: "Flip video",
  summary: "Mirror a video.",
  accepts: videos,
  params: z.strictObject({
    direction: z
      .enum(["horizontal", "vertical"])
      .describe("horizontal exchanges left and right, vertical exchanges top and bottom."),
  }),
  example: { direction: "horizontal" },
  sample: { input: "video.mp4" },
  produces: (type) => toVideoContainer(type),
  live: "frame",
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params: { direction }, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const filters = [direction === "horizontal" ? "hflip" : "vflip"];
    const frame = rotatedFrame(video);
    const file = { input, info, video, work, signal, progress };
    return { outputs: [await filterVideo({ ...file, filters, frame })] };
  },
});
