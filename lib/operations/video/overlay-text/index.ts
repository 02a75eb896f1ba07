import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { displayedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { renderText } from "#lib/engines/worker/image/render-text.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { color, marginShare, renderedText, videos } from "#lib/operations/fields/index.ts";
import { overlayImage } from "../../shared/video/overlay-image.ts";

const coordinate = (edge: string) =>
  z
    .number()
    .int()
    .min(0)
    .max(16_384)
    .default(10)
    .meta({
      description: `Pixels from the ${edge} of the frame to the text. The text stays inside the frame.`,
      unit: "px",
    });

export const overlayText = defineOperation({
  id: "video/overlay-text",
  title: "Overlay text",
  summary: "Overlay text on a video.",
  accepts: videos,
  params: z.strictObject({
    text: renderedText,
    x: coordinate("left"),
    y: coordinate("top"),
    fontsize: z.number().int().min(1).max(500).default(24).meta({
      description:
        "Size in points; 1 point is 1 pixel. Text that does not fit is wrapped, then shrunk.",
      control: "slider",
      unit: "pt",
    }),
    color: color("#ffffff"),
  }),
  example: { text: "Hello, world", x: 20, y: 20, fontsize: 32 },
  sample: {
    input: "video.mp4",
    params: { text: "Breakfast at eight", x: 36, y: 32, fontsize: 40, color: "#fff2d6" },
  },
  produces: (type) => (type === "webm" ? "webm" : "mp4"),
  live: "frame",
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe", "image"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const frame = displayedFrame(video);
    const margin = Math.floor(Math.min(frame.width, frame.height) * marginShare);
    const right = frame.width - margin;
    const bottom = frame.height - margin;
    const x = clampStart(params.x, right, params.fontsize, 8 * params.fontsize);
    const y = clampStart(params.y, bottom, params.fontsize, 1.5 * params.fontsize);
    const image = await renderText(
      {
        text: params.text,
        fontSize: params.fontsize,
        color: params.color,
        opacity: 1,
        maxWidth: right - x,
        maxHeight: bottom - y,
      },
      work,
      signal,
    );
    const container = input.type.id === "webm" ? "webm" : "mp4";
    const common = { input, info, video, container, work, signal, progress } as const;
    return { outputs: [await overlayImage({ ...common, image, x, y })] };
  },
});

/**
 * Returns `start`, or `room` before `end` if less than one em would be left before `end`, in
 * pixels.
 */
function clampStart(start: number, end: number, em: number, room: number): number {
  return start <= end - em ? start : Math.max(0, end - Math.ceil(room));
}
