import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { evenFrame, rotatedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { time, videos } from "#lib/operations/fields/index.ts";
import { selectPreviewStart } from "./select-preview-start.ts";
import { trimVideo } from "./trim-video.ts";

export const previewClip = defineOperation({
  id: "video/preview-clip",
  title: "Preview clip",
  summary: "Create a short preview clip of a video, as an MP4 that plays in every browser.",
  accepts: videos,
  params: z.strictObject({
    duration: z.number().int().min(1).max(60).default(5).meta({
      description:
        "Length of the clip in seconds. If the video is shorter, the output is the whole video.",
      control: "slider",
      unit: "s",
    }),
    start: time(
      "Start of the clip in the video, in seconds. By default the clip starts after about a tenth " +
        "of the video, or later if that frame is black. The same video always gives the same clip.",
    ).optional(),
  }),
  example: { duration: 3 },
  sample: { input: "video.mp4" },
  produces: () => "mp4",
  partial: true,
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const total = video.duration ?? info.duration ?? 0;
    if (params.start !== undefined && params.start >= total) {
      const length = `${total.toFixed(2)} seconds`;
      throw new JobError(
        "empty",
        `\`start\` must be before the end of the video, which is ${length} long.`,
      );
    }
    const latest = Math.max(0, total - params.duration);
    const source = { file: input, info, video, duration: total };
    const start = params.start ?? (await selectPreviewStart(source, latest, work, signal));
    const isWhole = start === 0 && total <= params.duration;
    const duration = Math.min(params.duration, total - start);
    const range = isWhole ? undefined : { start, duration };
    const output = work.output("mp4");
    await trimVideo({ ...source, range, output, work, signal, progress });
    return { outputs: [{ ...output, ...evenFrame(rotatedFrame(video)), duration }] };
  },
});
