import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { filterVideo } from "#lib/engines/ffmpeg/video/filter-video.ts";
import { toVideoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { time, videos } from "#lib/operations/fields/index.ts";

export const fade = defineOperation({
  id: "video/fade",
  title: "Fade video",
  summary: "Fade a video in from black and out to black, with its audio.",
  accepts: videos,
  params: z
    .strictObject({
      in: time("Length of the fade at the start; 0 for none.").default(1),
      out: time("Length of the fade at the end; 0 for none.").default(1),
    })
    .refine((params) => params.in > 0 || params.out > 0, {
      path: ["in"],
      error: "and `out` must not both be 0",
    }),
  example: { in: 0.5, out: 0.5 },
  sample: { input: "video.mp4", params: { in: 2, out: 2 } },
  produces: (type) => toVideoContainer(type),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const start = Math.max(0, (video.startTime ?? 0) - (info.startTime ?? 0));
    const end = start + (video.duration ?? info.duration ?? 0);
    const fadeIn = Math.min(params.in, end - start);
    const fadeOut = Math.min(params.out, end - start);
    const express = (filter: string) => [
      ...(fadeIn > 0 ? [`${filter}=t=in:${range(start, fadeIn)}`] : []),
      ...(fadeOut > 0 ? [`${filter}=t=out:${range(end - fadeOut, fadeOut)}`] : []),
    ];
    const filters = express("fade");
    const audioFilters = () => express("afade");
    const file = { input, info, video, work, signal, progress };
    return { outputs: [await filterVideo({ ...file, filters, audioFilters })] };
  },
});

function range(start: number, duration: number): string {
  return `st=${start.toFixed(6)}:d=${duration.toFixed(6)}`;
}
