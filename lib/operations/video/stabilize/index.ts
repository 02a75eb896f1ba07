import { z } from "zod";
import { applyFilters, mapStream } from "#lib/engines/ffmpeg/arguments.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { filterVideo } from "#lib/engines/ffmpeg/video/filter-video.ts";
import { toVideoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import { isDeep, rotatedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { videos } from "#lib/operations/fields/index.ts";

/** Those that libvidstab reads without loss or a crash: others are converted to one of them. */
const pixelFormats = "format=yuv420p|yuv422p|yuv444p|yuva420p|gray";

export const stabilize = defineOperation({
  id: "video/stabilize",
  title: "Stabilize video",
  summary: "Remove the shaking of a hand-held camera.",
  accepts: videos,
  params: z.strictObject({
    strength: z.number().int().min(1).max(100).default(10).meta({
      description:
        "How calm the camera becomes: its path is averaged over so many frames before and after each. The picture is enlarged to hide the moving edges.",
      control: "slider",
    }),
  }),
  example: { strength: 10 },
  sample: { input: "video.mp4", params: { strength: 30 } },
  produces: (type) => toVideoContainer(type),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params: { strength }, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const frame = rotatedFrame(video);
    const size = `scale=${frame.width}:${frame.height}`;
    const motion = work.scratch("trf");
    if (isDeep(video)) {
      work.warn("Videos are stabilized with 8 bits per channel; this one has more.");
    }
    const detect = `vidstabdetect=shakiness=8:accuracy=12:result=${motion.name}`;
    await runFfmpeg({
      work,
      signal,
      progress: (percent) => progress(percent / 2),
      duration: info.duration,
      frame: video,
      inputs: [{ file: input }],
      outputs: [
        {
          args: [...mapStream(video.index), ...applyFilters("v", 0, [size, pixelFormats, detect])],
        },
      ],
    });
    const transform = `vidstabtransform=input=${motion.name}:smoothing=${strength}:interpol=bicubic`;
    const output = await filterVideo({
      input,
      info,
      video,
      work,
      signal,
      frame,
      progress: (percent) => progress(50 + percent / 2),
      filters: [pixelFormats, transform],
    });
    return { outputs: [output] };
  },
});
