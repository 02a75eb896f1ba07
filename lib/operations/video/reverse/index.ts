import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { toVideoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { videos } from "#lib/operations/fields/index.ts";
import { reverseVideo } from "./reverse-video.ts";

/** The longest duration in seconds. The audio is reversed in memory. */
const maxDuration = 900;

export const reverse = defineOperation({
  id: "video/reverse",
  title: "Reverse video",
  summary: "Play a video of at most 15 minutes backwards, with its audio.",
  accepts: videos,
  params: z.strictObject({}),
  example: {},
  sample: { input: "video.mp4" },
  produces: (type) => toVideoContainer(type),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const duration = video.duration ?? info.duration ?? 0;
    if (duration > maxDuration) {
      const message = `Only videos of at most ${maxDuration / 60} minutes can be reversed.`;
      throw new JobError("too_complex", message);
    }
    return { outputs: [await reverseVideo({ input, info, video, work, signal, progress })] };
  },
});
