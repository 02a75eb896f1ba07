import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { displayedFrame, type Frame } from "#lib/engines/ffmpeg/video-frame.ts";
import { normalizeToPng, readImageInfo } from "#lib/engines/worker/image/image-info.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "#lib/operations/define.ts";
import {
  images,
  marginShare,
  opacity,
  type Position,
  position,
  videos,
} from "#lib/operations/fields/index.ts";
import { fitImageWidth, overlayImage } from "../../shared/video/overlay-image.ts";

export const videoWatermark = defineOperation({
  id: "pipeline/video-watermark",
  title: "Watermark video",
  summary: "Overlay an image, such as a logo, on a video.",
  accepts: videos,
  params: z.strictObject({
    position: position("bottom-right"),
    opacity: opacity(1),
    scale: z.number().min(0.01).max(1).default(0.15).meta({
      description: "Width of the image as a share of the video's width. Its aspect ratio stays.",
      control: "slider",
    }),
  }),
  files: {
    watermark: {
      accepts: images,
      required: true,
      description:
        "The image to overlay. Its transparency is kept. Of an animation, the first frame is used.",
    },
  },
  example: { position: "bottom-right", opacity: 0.8, scale: 0.2 },
  sample: {
    input: "video.mp4",
    files: { watermark: "logo.png" },
    params: { position: "top-right", scale: 0.12, opacity: 0.9 },
  },
  produces: () => "mp4",
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe", "image"],
  async run({ input, files, params, work, signal, progress }) {
    const { watermark } = files;
    if (!watermark) throw new JobError("internal", "The watermark image is missing.");
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const frame = displayedFrame(video);
    const width = fitImageWidth(frame, await readImageInfo(watermark, work, signal), params.scale);
    const image = await normalizeToPng(watermark, work, signal, { width });
    const offset = offsetOf(params.position, frame, image);
    const common = { input, info, video, container: "mp4", work, signal, progress } as const;
    const { opacity } = params;
    return { outputs: [await overlayImage({ ...common, ...offset, image, opacity })] };
  },
});

/** The top left corner of the image. The margin shrinks if there is no room for it. */
function offsetOf(at: Position, frame: Frame, image: Frame): { x: number; y: number } {
  const margin = Math.round(Math.min(frame.width, frame.height) * marginShare);
  const along = (room: number, isStart: boolean, isEnd: boolean) => {
    const gap = Math.min(margin, Math.floor(Math.max(0, room) / 2));
    if (isStart) return gap;
    return Math.max(0, isEnd ? room - gap : Math.round(room / 2));
  };
  return {
    x: along(frame.width - image.width, at.includes("left"), at.includes("right")),
    y: along(frame.height - image.height, at.includes("top"), at.includes("bottom")),
  };
}
