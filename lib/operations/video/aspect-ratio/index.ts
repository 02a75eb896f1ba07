import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { chooseEncoding } from "#lib/engines/ffmpeg/video/choose-encoding.ts";
import { copyVideo } from "#lib/engines/ffmpeg/video/copy-video.ts";
import { filterVideo } from "#lib/engines/ffmpeg/video/filter-video.ts";
import { requireFrame } from "#lib/engines/ffmpeg/video/output-frame.ts";
import { toVideoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import { displayedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { color, parseRatio, ratio, videos } from "#lib/operations/fields/index.ts";
import { fitToRatio } from "../../shared/video/fit-to-ratio.ts";

export const aspectRatio = defineOperation({
  id: "video/aspect-ratio",
  title: "Change aspect ratio",
  summary:
    "Give a video another aspect ratio: with borders, cut at the edges, or on a blurred copy of itself.",
  accepts: videos,
  params: z.strictObject({
    ratio: ratio("Ratio of the output."),
    mode: z
      .enum(["pad", "crop", "blur"])
      .default("pad")
      .describe(
        "pad adds borders, crop cuts off edges, blur fills the borders with a blurred copy of the video.",
      ),
    color: color("#000000").describe("Color of the borders."),
  }),
  example: { ratio: "1:1" },
  sample: { input: "video.mp4", params: { ratio: "9:16", mode: "blur" } },
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
    const fitted = fitToRatio(video, parseRatio(params.ratio), params, sideStep);
    const frame = requireFrame(fitted.frame);
    if (frame.width === source.width && frame.height === source.height) {
      return { outputs: [await copyVideo(file)] };
    }
    const square = [`scale=${source.width}:${source.height}`, "setsar=1"];
    const filters = [...square, ...fitted.filters];
    return { outputs: [await filterVideo({ ...file, filters, frame })] };
  },
});
