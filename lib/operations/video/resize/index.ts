import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { chooseEncoding } from "#lib/engines/ffmpeg/video/choose-encoding.ts";
import { copyVideo } from "#lib/engines/ffmpeg/video/copy-video.ts";
import { filterVideo } from "#lib/engines/ffmpeg/video/filter-video.ts";
import { requireFrame, roundFrame } from "#lib/engines/ffmpeg/video/output-frame.ts";
import { toVideoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import { displayedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { fit as fitField, side, videos } from "#lib/operations/fields/index.ts";
import { resizedFrame } from "../../shared/video/resized-frame.ts";

/** The longest side of an 8K video. */
const maxVideoSide = 8192;

export const resize = defineOperation({
  id: "video/resize",
  title: "Resize video",
  summary: "Change the size of a video.",
  accepts: videos,
  params: z
    .strictObject({
      width: side(
        "Width of the output. Without it, the ratio is kept. Most codecs need an even number; others are rounded.",
        maxVideoSide,
      ).optional(),
      height: side(
        "Height of the output. Without it, the ratio is kept. Most codecs need an even number; others are rounded.",
        maxVideoSide,
      ).optional(),
      fit: fitField("inside"),
    })
    .refine(({ width, height }) => width !== undefined || height !== undefined, {
      path: ["width"],
      error: "or `height` is required",
    }),
  example: { width: 320 },
  sample: { input: "video.mp4", params: { width: 480, height: 480, fit: "cover" } },
  produces: (type) => toVideoContainer(type),
  live: "frame",
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const file = { input, info, video, work, signal, progress };
    const { sideStep } = chooseEncoding(input.type.id, video);
    const source = displayedFrame(video);
    const resized = resizedFrame(source, params.width, params.height, params.fit);
    const frame = requireFrame(roundFrame(resized.frame, sideStep));
    const isWhole = resized.scaled === resized.frame;
    const scaled = isWhole ? frame : requireFrame(roundFrame(resized.scaled, sideStep));
    const isSame = frame.width === source.width && frame.height === source.height;
    if (isSame && video.rotation === 0 && source.width === video.width) {
      return { outputs: [await copyVideo(file)] };
    }
    const filters = [`scale=${scaled.width}:${scaled.height}`, "setsar=1"];
    const place = `${frame.width}:${frame.height}:(ow-iw)/2:(oh-ih)/2`;
    if (params.fit === "contain" && !isWhole) filters.push(`pad=${place}`);
    if (params.fit === "cover" && !isWhole) filters.push(`crop=${frame.width}:${frame.height}`);
    return { outputs: [await filterVideo({ ...file, filters, frame })] };
  },
});
