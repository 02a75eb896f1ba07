import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { drawOver } from "#lib/engines/ffmpeg/overlay-image.ts";
import { type Frame, shownFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { type ImageInfo, normalizeToPng, readImageInfo } from "#lib/engines/worker/image-info.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "#lib/operations/define.ts";
import {
  marginShare,
  opacity,
  type Position,
  position,
  rasterImages,
  videos,
} from "#lib/operations/fields/index.ts";

export const videoWatermark = defineOperation({
  id: "pipeline/video-watermark",
  summary: "Lay an image over a video, such as a logo in a corner.",
  accepts: videos,
  params: z.strictObject({
    position,
    opacity: opacity(1),
    scale: z
      .number()
      .min(0.01)
      .max(1)
      .default(0.15)
      .describe("Width of the image as a share of the video's width; its proportions stay."),
  }),
  files: {
    watermark: {
      accepts: rasterImages,
      required: true,
      description:
        "The image to lay over the video; its transparency is kept, an animation stands still.",
    },
  },
  example: { position: "bottom-right", opacity: 0.8, scale: 0.2 },
  produces: () => "mp4",
  engine: "runner",
  requires: ["ffmpeg", "ffprobe", "image"],
  async run({ input, files, params, work, signal, progress }) {
    const { watermark } = files;
    if (!watermark) throw new JobError("internal", "The watermark image is missing.");
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const frame = shownFrame(video);
    const width = fitWidth(frame, await readImageInfo(watermark, work, signal), params.scale);
    const picture = await normalizeToPng(watermark, work, signal, { width });
    const place = placeIn(frame, picture, params.position);
    const common = { input, info, video, container: "mp4", work, signal, progress } as const;
    return { outputs: [await drawOver({ ...common, ...place, picture, opacity: params.opacity })] };
  },
});

/** Pixels: `scale` of the frame's width, or less where the image would be higher than the frame. */
function fitWidth(frame: Frame, image: ImageInfo, scale: number): number {
  // EXIF orientations 5 to 8 lie on their side.
  const isTurned = (image.orientation ?? 1) >= 5;
  const ratio = isTurned ? image.height / image.width : image.width / image.height;
  return Math.max(1, Math.floor(Math.min(Math.round(frame.width * scale), frame.height * ratio)));
}

/** The top left corner of `picture` at `position`; the margin gives way where there is no room. */
function placeIn(frame: Frame, picture: Frame, at: Position): { x: number; y: number } {
  const margin = Math.round(Math.min(frame.width, frame.height) * marginShare);
  const along = (room: number, isStart: boolean, isEnd: boolean) => {
    const gap = Math.min(margin, Math.floor(Math.max(0, room) / 2));
    if (isStart) return gap;
    return Math.max(0, isEnd ? room - gap : Math.round(room / 2));
  };
  return {
    x: along(frame.width - picture.width, at.includes("left"), at.includes("right")),
    y: along(frame.height - picture.height, at.includes("top"), at.includes("bottom")),
  };
}
