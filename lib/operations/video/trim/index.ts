import { z } from "zod";
import { probe, requireVideo, toNumber } from "#lib/engines/ffmpeg/ffprobe.ts";
import { leavesOutFrames, readVideoPackets } from "#lib/engines/ffmpeg/video/read-packets.ts";
import { toVideoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import type { VideoStream } from "#lib/engines/ffmpeg/video-frame.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { time, videos } from "#lib/operations/fields/index.ts";
import { planCuts } from "./plan-cuts.ts";
import { trimAtKeyFrames } from "./trim-at-key-frames.ts";
import { canStartOpenGop, trimPrecisely } from "./trim-precisely.ts";

export const trim = defineOperation({
  id: "video/trim",
  title: "Trim video",
  summary: "Cut a part out of a video, exact to the frame and almost without re-encoding.",
  accepts: videos,
  params: z
    .strictObject({
      start: time("Start of the part."),
      end: time("End of the part. The default is the end of the video.").optional(),
      duration: time("Length of the part, instead of its end.").optional(),
      precise: z
        .boolean()
        .default(true)
        .describe(
          "Cut at exactly these frames; only the frames around the cuts are encoded again: in H.264, HEVC, VP8, VP9 and AV1. All frames of interlaced videos and of other codecs are encoded again. Without it, the part starts at the key frame before its start, and nothing is encoded, unless the file does not store the times of all frames, as MPEG program streams.",
        ),
    })
    .refine(({ end, duration }) => end === undefined || duration === undefined, {
      path: ["duration"],
      error: "must not be set together with `end`",
    })
    .refine(({ start, end = Number.POSITIVE_INFINITY }) => end > start, {
      path: ["end"],
      error: "must be after `start`",
    })
    .refine(({ duration = 1 }) => duration > 0, {
      path: ["duration"],
      error: "must be more than 0",
    }),
  example: { start: 0, duration: 3 },
  sample: { input: "video.mp4", params: { start: 1.5, duration: 3 } },
  produces: (type) => toVideoContainer(type),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const start = moveToGrid(params.start, video);
    const end = params.duration === undefined ? params.end : start + params.duration;
    const packets = await readVideoPackets(input, info, video, work, signal);
    const total = Math.max(
      info.duration ?? 0,
      ...packets.slice(-32).map(({ time }) => time + 0.001),
    );
    const dropsLeading = params.precise && canStartOpenGop({ input, video });
    const cuts = planCuts(packets, { start, end: end ?? total }, total, dropsLeading);
    if (!cuts) {
      const length = `${total.toFixed(2)} seconds`;
      throw new JobError(
        "empty",
        `No frame is left. The video is ${length} long; \`start\` must be before its end.`,
      );
    }
    const request = { input, info, video, packets, cuts, work, signal, progress };
    const canCopy = !leavesOutFrames(packets, video) && packets.some(({ isKey }) => isKey);
    const isPrecise = params.precise || !canCopy;
    const output = isPrecise ? await trimPrecisely(request) : await trimAtKeyFrames(request);
    return { outputs: [output] };
  },
});

/** Time bases above it, in seconds, are those of frames, as in Ogg and AVI. */
const maxFineTimeBase = 0.005;

/** A start that the times of the video can express, so that its audio starts there, too. */
function moveToGrid(start: number, { timeBase }: VideoStream): number {
  const step = toNumber(timeBase);
  return step > maxFineTimeBase ? Math.round(start / step) * step : start;
}
