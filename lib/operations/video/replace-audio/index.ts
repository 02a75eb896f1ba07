import { z } from "zod";
import { requireAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "../../define.ts";
import { audioInputs, videos } from "../../fields/index.ts";
import { writeWithAudio } from "./write-with-audio.ts";

export const replaceAudio = defineOperation({
  id: "video/replace-audio",
  title: "Replace audio",
  summary:
    "Replace the audio of a video, or mix other audio into it. The video is not encoded again.",
  accepts: videos,
  params: z.strictObject({
    mix: z
      .boolean()
      .default(false)
      .describe("Whether the video's own audio stays and the other audio is added to it."),
    volume: z.number().min(0).max(10).default(1).meta({
      description: "Factor of the added audio's volume: 0.5 is half, 2 is double.",
      control: "slider",
    }),
    loop: z
      .boolean()
      .default(false)
      .describe("Whether audio that is shorter than the video starts again until the video ends."),
  }),
  files: {
    audio: {
      accepts: audioInputs,
      required: true,
      description:
        "The audio, or a video with audio. Audio that is longer than the video is cut at the end of the video.",
    },
  },
  example: { mix: true, volume: 0.5 },
  sample: { input: "video.mp4", files: { audio: "audio.flac" }, params: { loop: true } },
  produces: (type) => type,
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, files, params, work, signal, progress }) {
    const { audio: file } = files;
    if (!file) throw new JobError("internal", "The audio file is missing.");
    const info = await probe(input, work, signal);
    requireVideo(info);
    const addedInfo = await probe(file, work, signal);
    const added = { file, info: addedInfo, stream: requireAudio(addedInfo) };
    const request = { ...params, input, info, added, work, signal, progress };
    return { outputs: [await writeWithAudio(request)] };
  },
});
