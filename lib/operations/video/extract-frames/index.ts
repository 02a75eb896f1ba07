import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { stillExtension } from "#lib/engines/ffmpeg/frames/still-image.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "../../define.ts";
import { side, stillFormat, videos } from "../../fields/index.ts";
import { type FrameTimes, sampleFrames, spreadTimes } from "../../shared/video/sample-frames.ts";

/** Each frame is an output of the job. */
const maxFrames = 1000;

const defaultCount = 10;

export const extractFrames = defineOperation({
  id: "video/extract-frames",
  title: "Extract frames",
  summary: "Save frames of a video as images: at a rate, at an interval, or a number of them.",
  accepts: videos,
  params: z
    .strictObject({
      fps: z
        .number()
        .min(0.001)
        .max(240)
        .optional()
        .meta({
          description: `Frames per second, from the start of the video. At most ${maxFrames} frames.`,
          unit: "fps",
        }),
      count: z
        .number()
        .int()
        .min(1)
        .max(maxFrames)
        .optional()
        .meta({
          description:
            "Number of frames: each is from the middle of an equal part of the video. " +
            `The default is ${defaultCount} if neither fps nor every is set.`,
        }),
      every: z.number().min(0.005).max(86_400).optional().meta({
        description: "Seconds from one frame to the next, from the start of the video.",
        unit: "s",
      }),
      format: stillFormat("jpeg"),
      width: side(
        "Width of the images. Their height follows from the aspect ratio. The default is the width of the video.",
        8192,
      ).optional(),
    })
    .refine(
      ({ fps, count, every }) =>
        [fps, count, every].filter((value) => value !== undefined).length <= 1,
      { path: ["count"], error: "cannot be combined: set one of `fps`, `count` and `every`" },
    ),
  example: { count: 3, width: 320 },
  sample: { input: "video.mp4", params: { count: 4 } },
  produces: (_type, { format }) => format,
  result: z.strictObject({
    times: z.array(z.number()).describe("The times of the frames, in seconds."),
  }),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const { format, width } = params;
    const times = chooseTimes(params, video.duration ?? info.duration ?? 0);
    const series = work.series("out", stillExtension(format), times.count);
    const request = { file: input, info, video, format, width, work, signal, progress };
    const sampled = await sampleFrames(request, times, series);
    const digits = `${sampled.files.length}`.length;
    const outputs = sampled.files.map((file, index) => ({
      ...file,
      ...sampled.frame,
      suffix: `-${`${index + 1}`.padStart(digits, "0")}` as const,
    }));
    const rounded = sampled.times.map((time) => Math.round(time * 1e3) / 1e3);
    return { outputs, result: { times: rounded } };
  },
});

interface Sampling {
  readonly fps?: number | undefined;
  readonly count?: number | undefined;
  readonly every?: number | undefined;
}

/**
 * Chooses the times of the frames; `duration` is in seconds. Throws `JobError("too_complex")` if it
 * has too many frames.
 */
function chooseTimes({ fps, count, every }: Sampling, duration: number): FrameTimes {
  const step = fps === undefined ? every : 1 / fps;
  if (step === undefined) return spreadTimes(Math.max(duration, 0.001), count ?? defaultCount);
  // A frame at the very end would not be on screen. Durations are rounded to a millisecond or less.
  const found = Math.max(1, Math.ceil((duration - 0.001) / step));
  if (found > maxFrames) {
    const message = `The video would give ${found} images. At most ${maxFrames} are possible.`;
    throw new JobError("too_complex", message);
  }
  return { first: 0, step, count: found };
}
