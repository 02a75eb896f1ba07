import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { requireTimeInside } from "#lib/engines/ffmpeg/media-time.ts";
import { displayedFrame, type Frame } from "#lib/engines/ffmpeg/video-frame.ts";
import { normalizeToPng, readImageInfo } from "#lib/engines/worker/image/image-info.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "../../define.ts";
import {
  images,
  marginShare,
  offsetIn,
  opacity,
  optionalPosition,
  type Position,
  time,
  videos,
} from "../../fields/index.ts";
import { fitImageWidth, overlayImage as overlay } from "../../shared/video/overlay-image.ts";

const coordinate = (edge: string) =>
  z
    .number()
    .int()
    .min(-16_384)
    .max(16_384)
    .optional()
    .meta({
      description:
        `Pixels from the ${edge} of the frame to the image, instead of position. What is outside the ` +
        "frame is cut off.",
      unit: "px",
    });

export const overlayImage = defineOperation({
  id: "video/overlay-image",
  title: "Overlay image",
  summary: "Overlay an image on a video, all the time or for a part of it.",
  accepts: videos,
  params: z
    .strictObject({
      x: coordinate("left"),
      y: coordinate("top"),
      position: optionalPosition(
        "Position in the frame. The default is center if neither x nor y is set.",
      ),
      scale: z.number().min(0.01).max(1).default(0.25).meta({
        description: "Width of the image as a share of the video's width. Its aspect ratio stays.",
        control: "slider",
      }),
      opacity: opacity(1),
      start: time("Time at which the image appears.").default(0),
      end: time(
        "Time at which the image disappears. The default is the end of the video.",
      ).optional(),
    })
    .refine(({ x, y, position }) => position === undefined || (x ?? y) === undefined, {
      path: ["position"],
      error: "cannot be combined with `x` and `y`",
    })
    .refine(({ start, end }) => end === undefined || end > start, {
      path: ["end"],
      error: "must be after `start`",
    }),
  files: {
    image: {
      accepts: images,
      required: true,
      description:
        "The image to overlay. Its transparency is kept. Of an animation, the first frame is used.",
    },
  },
  example: { position: "top-right", scale: 0.2, opacity: 0.9 },
  sample: {
    input: "video.mp4",
    files: { image: "logo.png" },
    params: { position: "bottom-left", scale: 0.15, start: 1, end: 6 },
  },
  produces: () => "mp4",
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe", "image"],
  async run({ input, files, params, work, signal, progress }) {
    const { image: file } = files;
    if (!file) throw new JobError("internal", "The image is missing.");
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    requireTimeInside("start", params.start, info.duration);
    const frame = displayedFrame(video);
    const width = fitImageWidth(frame, await readImageInfo(file, work, signal), params.scale);
    const image = await normalizeToPng(file, work, signal, { width });
    const { opacity, start, end } = params;
    const isAlways = start === 0 && end === undefined;
    return {
      outputs: [
        await overlay({
          input,
          info,
          video,
          image,
          opacity,
          work,
          signal,
          progress,
          ...placeImage(params, frame, image),
          ...(isAlways ? {} : { range: { start, end } }),
          container: "mp4",
        }),
      ],
    };
  },
});

interface Place {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly position?: Position | undefined;
}

/** The top left corner of the image, in pixels. */
function placeImage({ x, y, position = "center" }: Place, frame: Frame, image: Frame) {
  if (x !== undefined || y !== undefined) return { x: x ?? 0, y: y ?? 0 };
  const margin = Math.round(Math.min(frame.width, frame.height) * marginShare);
  const { left, top } = offsetIn(frame, image, position, margin);
  return { x: left, y: top };
}
