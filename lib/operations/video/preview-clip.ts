import { z } from "zod";
import { mediaPath, runFfmpeg } from "#lib/engines/ffmpeg.ts";
import { type MediaInfo, type MediaStream, probe, requireVideo, toNumber } from "#lib/engines/ffprobe.ts";
import { encodeAudio, keepStreams } from "#lib/engines/keep-streams.ts";
import { pickScene } from "#lib/engines/pick-scene.ts";
import { isSound } from "#lib/engines/sound.ts";
import { evenFrame, filmFrame, shownFrame } from "#lib/engines/video-frame.ts";
import { JobError } from "#lib/errors.ts";
import { videoEncoder } from "#lib/media/video-formats.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { videos } from "#lib/operations/fields.ts";

export const previewClip = defineOperation({
  id: "video/preview-clip",
  summary: "Cut a short MP4 out of a video, ready to play in a page.",
  accepts: videos,
  params: z.strictObject({
    duration: z
      .number()
      .int()
      .min(1)
      .max(60)
      .default(5)
      .describe("Length in seconds; a video that is shorter comes whole."),
    start: z
      .number()
      .min(0)
      .max(86_400)
      .optional()
      .describe(
        "Where it starts, in seconds. If absent, a place about a tenth into the video is picked, " +
          "later where the picture there is black; always the same one for the same video.",
      ),
  }),
  example: { duration: 3 },
  engine: "runner",
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const total = video.duration ?? info.duration ?? 0;
    if (params.start !== undefined && params.start >= total) {
      const sentence = `The video lasts ${total.toFixed(2)} s, so nothing is left from start on; choose an earlier start.`;
      throw new JobError("empty", sentence);
    }
    const latest = Math.max(0, total - params.duration);
    const film = { file: input, video, duration: total };
    const start =
      params.start ?? (latest === 0 ? 0 : await pickScene(film, latest, work, signal));
    const output = work.output("mp4");
    const duration = Math.min(params.duration, total - start);
    const isWhole = start === 0 && total <= params.duration;
    const { frames } = await runFfmpeg({
      work,
      signal,
      progress,
      duration,
      build: (command) =>
        command
          .input(mediaPath(input))
          .inputOptions(isWhole ? [] : ["-ss", start.toFixed(6), "-noaccurate_seek"])
          .outputOptions(isWhole && isPlayable(info, video) ? copy(info, video) : cut(info, video))
          .outputOptions(isWhole ? [] : ["-t", `${params.duration}`])
          .output(mediaPath(output)),
    });
    if (frames === 0) throw new JobError("corrupt", "The video cannot be decoded at that place.");
    return { outputs: [{ ...output, ...shownFrame(video), duration }] };
  },
});
