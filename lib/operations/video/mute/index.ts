import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { copyVideo } from "#lib/engines/ffmpeg/video/copy-video.ts";
import { toVideoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { videos } from "#lib/operations/fields/index.ts";

export const mute = defineOperation({
  id: "video/mute",
  title: "Mute video",
  summary: "Remove all audio from a video. The video itself is not changed.",
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
    const file = { input, info, video, work, signal, progress };
    return { outputs: [await copyVideo({ ...file, dropAudio: true })] };
  },
});
