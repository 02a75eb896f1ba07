import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { stillFrame } from "#lib/engines/ffmpeg/frames/still-image.ts";
import { outputName } from "#lib/engines/worker/output-name.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { maxSide, side, videos } from "#lib/operations/fields/index.ts";
import { countResult, secondsResult, sizeResult } from "#lib/operations/result-fields.ts";
import { tileFrames } from "../../shared/video/tile-frames.ts";
import { planSprites } from "./plan-sprites.ts";
import { writeSpriteCues } from "./write-sprite-cues.ts";

export const spriteSheet = defineOperation({
  id: "pipeline/sprite-sheet",
  title: "Sprite sheet",
  summary:
    "Make the previews of a player's timeline: frames of a video in one JPEG, and a WebVTT file that points into it.",
  accepts: videos,
  params: z
    .strictObject({
      columns: z.number().int().min(1).max(100).default(10).meta({
        description: "Number of frames in each row.",
        control: "slider",
      }),
      width: side("Width of each frame. Its height follows from the aspect ratio.", 1000)
        .min(16)
        .default(160),
      interval: z.number().min(0.1).max(3600).default(5).meta({
        description:
          "Seconds from one frame to the next; each is from the middle of its interval. If one image cannot have that many frames, the interval is longer.",
        unit: "s",
      }),
    })
    .refine(({ columns, width }) => columns * width <= maxSide, {
      path: ["width"],
      error: `times \`columns\` must be at most ${maxSide} pixels`,
    }),
  example: { columns: 5, width: 120, interval: 2 },
  sample: { input: "video.mp4", params: { columns: 4, interval: 1 } },
  produces: () => "jpeg",
  result: z.strictObject({
    frame: sizeResult("The size of each frame, in pixels."),
    columns: countResult("Number of columns."),
    rows: countResult("Number of rows."),
    count: countResult("Number of frames."),
    interval: secondsResult("The time between two frames"),
  }),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const { columns, width } = params;
    const duration = video.duration ?? info.duration ?? 0.1;
    const frame = stillFrame(video, width);
    const plan = planSprites(duration, params.interval, columns, frame);
    const { interval, rows, times } = plan;
    const source = { file: input, info, video, width, work, signal, progress };
    const used = Math.min(columns, times.count);
    const layout = { columns: used, rows, format: "jpeg" } as const;
    const { image: sheet, times: taken } = await tileFrames(source, times, layout);
    const image = outputName(input.filename, sheet);
    const cues = work.output("vtt");
    const count = taken.length;
    const text = writeSpriteCues({ image, count, columns: used, frame, interval, duration });
    await writeNew(cues.path, text);
    return {
      outputs: [
        { ...sheet, filename: image },
        { ...cues, filename: outputName(input.filename, cues) },
      ],
      result: { frame, columns: used, rows, count, interval },
      ...(interval === params.interval ? {} : { warnings: [lengthened(interval)] }),
    };
  },
});

function lengthened(interval: number): string {
  return `The video is too long for this interval: one image has a frame every ${interval} seconds.`;
}
