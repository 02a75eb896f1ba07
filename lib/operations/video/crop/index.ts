import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { chooseEncoding } from "#lib/engines/ffmpeg/video/choose-encoding.ts";
import { filterVideo } from "#lib/engines/ffmpeg/video/filter-video.ts";
import { toVideoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import { displayedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { side, videos } from "#lib/operations/fields/index.ts";
import { cropFilters } from "./crop-filters.ts";

const maxVideoSide = 16_384;

const offset = (edge: string) =>
  z
    .number()
    .int()
    .min(0)
    .max(maxVideoSide)
    .meta({ description: `Pixels from the ${edge} of the frame to the region.`, unit: "px" });

const length = (name: string) =>
  side(
    `${name} of the region. Most codecs need an even number; an odd one is reduced by 1.`,
    maxVideoSide,
  );

export const crop = defineOperation({
  id: "video/crop",
  title: "Crop video",
  summary: "Cut a region out of every frame of a video.",
  accepts: videos,
  params: z.strictObject({
    left: offset("left"),
    top: offset("top"),
    width: length("Width"),
    height: length("Height"),
  }),
  example: { left: 0, top: 0, width: 16, height: 16 },
  sample: { input: "video.mp4", params: { left: 100, top: 40, width: 320, height: 240 } },
  produces: (type) => toVideoContainer(type),
  live: "frame",
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const source = displayedFrame(video);
    const isInside =
      params.left + params.width <= source.width && params.top + params.height <= source.height;
    if (!isInside) {
      const message = `The region must be inside the frame, which is ${source.width}×${source.height} pixels large.`;
      throw new JobError("empty", message);
    }
    const { sideStep, pixelFormat = "yuv420p" } = chooseEncoding(input.type.id, video);
    const { filters, frame } = cropFilters(video, params, sideStep, pixelFormat);
    const file = { input, info, video, work, signal, progress };
    return { outputs: [await filterVideo({ ...file, filters, frame })] };
  },
});
