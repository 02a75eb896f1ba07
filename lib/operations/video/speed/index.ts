import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { toVideoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { videos } from "#lib/operations/fields/index.ts";
import { changeSpeed } from "./change-speed.ts";

export const speed = defineOperation({
  id: "video/speed",
  title: "Change speed of a video",
  summary: "Play a video faster or slower. The pitch of its audio stays the same.",
  accepts: videos,
  params: z.strictObject({
    factor: z.number().min(0.1).max(10).meta({
      description: "The speed: 2 is twice as fast, 0.5 half as fast.",
      control: "slider",
    }),
    smooth: z
      .boolean()
      .default(false)
      .describe(
        "Make frames in between when a video becomes slower: by the motion in it up to 1280×720, above by mixing frames.",
      ),
  }),
  example: { factor: 2 },
  sample: { input: "video.mp4", params: { factor: 2 } },
  produces: (type) => toVideoContainer(type),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const file = { input, info, video, work, signal, progress };
    return { outputs: [await changeSpeed(file, params.factor, params.smooth)] };
  },
});
