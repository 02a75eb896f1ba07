import { rename } from "node:fs/promises";
import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { formatTimestamp } from "#lib/engines/ffmpeg/media-time.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { side, videos } from "#lib/operations/fields/index.ts";
import { sizeResult } from "#lib/operations/result-fields.ts";
import { sampleFrames, spreadTimes } from "../../shared/video/sample-frames.ts";
import { hasVisibleFrames, planSheet } from "./plan-sheet.ts";
import { drawContactSheet } from "./worker-functions.ts";

const count = (what: string) =>
  z
    .number()
    .int()
    .min(1)
    .max(20)
    .default(4)
    .meta({
      description: `Number of ${what}.`,
      control: "slider",
    });

export const contactSheet = defineOperation({
  id: "pipeline/contact-sheet",
  title: "Contact sheet",
  summary: "Show a video at a glance: evenly spread frames in rows and columns, as one JPEG.",
  accepts: videos,
  params: z
    .strictObject({
      columns: count("frames in each row"),
      rows: count("rows"),
      width: side(
        "Width of the whole sheet. Its height follows from the aspect ratio of the video.",
        8192,
      )
        .min(64)
        .default(1920),
      timestamps: z
        .boolean()
        .default(false)
        .describe("Whether each frame shows its time in the video."),
    })
    .refine(hasVisibleFrames, {
      path: ["width"],
      error: "must leave each frame at least 16 pixels",
    }),
  example: { columns: 3, rows: 2, width: 960, timestamps: true },
  sample: { input: "video.mp4", params: { columns: 3, rows: 3, timestamps: true } },
  produces: () => "jpeg",
  result: z.strictObject({
    frame: sizeResult("The size of each frame, in pixels."),
    times: z.array(z.number()).describe("The times of the frames, in seconds."),
  }),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe", "image"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const { sheet, frame, ...layout } = planSheet(params, video, work.limits.imagePixels);
    const count = params.columns * params.rows;
    const spread = spreadTimes(video.duration ?? info.duration ?? 0.1, count);
    const { files, times } = await sampleFrames(
      {
        file: input,
        info,
        video,
        format: "png",
        width: frame.width,
        work,
        signal,
        progress: (percent) => progress(percent * 0.8),
      },
      spread,
      work.series("tmp", "png", count),
    );
    const labels = params.timestamps ? times.map((time) => formatTimestamp(time, spread.step)) : [];
    const { outputs } = await callInWorker(drawContactSheet, {
      files,
      options: { ...layout, sheet, frame, labels },
      work,
      signal,
      onProgress: (percent) => progress(80 + percent * 0.2),
    });
    const [drawn] = outputs;
    if (!drawn) throw new Error("a worker returned no contact sheet");
    const output = work.output("jpg");
    await rename(drawn.path, output.path);
    const rounded = times.map((time) => Math.round(time * 1e3) / 1e3);
    return { outputs: [{ ...output, ...sheet }], result: { frame, times: rounded } };
  },
});
