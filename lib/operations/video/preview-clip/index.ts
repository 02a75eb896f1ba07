import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { evenFrame, filmFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { videos } from "#lib/operations/fields/index.ts";
import { pickScene } from "#lib/operations/video/preview-clip/select-preview-start.ts";
import { cutFilm } from "#lib/operations/video/preview-clip/trim-video.ts";

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
  produces: () => "mp4",
  engine: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const total = video.duration ?? info.duration ?? 0;
    if (params.start !== undefined && params.start >= total) {
      const sentence = `start must be less than ${total.toFixed(2)} seconds, the video's length.`;
      throw new JobError("empty", sentence);
    }
    const latest = Math.max(0, total - params.duration);
    const film = { file: input, info, video, duration: total };
    const start = params.start ?? (latest === 0 ? 0 : await pickScene(film, latest, work, signal));
    const isWhole = start === 0 && total <= params.duration;
    const duration = Math.min(params.duration, total - start);
    const part = isWhole ? undefined : { start, duration };
    const output = work.output("mp4");
    await cutFilm({ ...film, part, output, work, signal, progress });
    return { outputs: [{ ...output, ...evenFrame(filmFrame(video)), duration }] };
  },
});
