import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { drawOver } from "#lib/engines/ffmpeg/overlay-image.ts";
import { shownFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { renderText } from "#lib/engines/worker/text.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { color, drawnText, marginShare, videos } from "#lib/operations/fields/index.ts";

const coordinate = (edge: string) =>
  z
    .number()
    .int()
    .min(0)
    .max(16_384)
    .default(10)
    .describe(`Pixels from the ${edge} of the frame to the text; kept inside the frame.`);

export const overlayText = defineOperation({
  id: "video/overlay-text",
  summary: "Draw a text over a video.",
  accepts: videos,
  params: z.strictObject({
    text: drawnText,
    x: coordinate("left"),
    y: coordinate("top"),
    fontsize: z
      .number()
      .int()
      .min(1)
      .max(500)
      .default(24)
      .describe(
        "Size in points, 1 pt being 1 pixel. Text that does not fit is wrapped, then shrunk.",
      ),
    color: color("#ffffff"),
  }),
  example: { text: "Hello, world", x: 20, y: 20, fontsize: 32 },
  produces: (type) => (type === "webm" ? "webm" : "mp4"),
  engine: "runner",
  requires: ["ffmpeg", "ffprobe", "image"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const frame = shownFrame(video);
    const margin = Math.floor(Math.min(frame.width, frame.height) * marginShare);
    const [right, bottom] = [frame.width - margin, frame.height - margin];
    const x = keepInside(params.x, right, params.fontsize, 8 * params.fontsize);
    const y = keepInside(params.y, bottom, params.fontsize, 1.5 * params.fontsize);
    const picture = await renderText(
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
    return { outputs: [await drawOver({ ...common, picture, x, y })] };
  },
});

/** Where less than an em is left before `end`, the place is moved back to have `room`. */
function keepInside(place: number, end: number, em: number, room: number): number {
  return place <= end - em ? place : Math.max(0, end - Math.ceil(room));
}
