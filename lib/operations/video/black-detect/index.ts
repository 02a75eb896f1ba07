import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { JobError } from "#lib/errors.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { defineOperation } from "../../define.ts";
import { videos } from "../../fields/index.ts";
import { intervalResult, secondsResult } from "../../result-fields.ts";
import { analyzeVideo } from "../../shared/video/analyze-video.ts";

/** A number of intervals that a day of flashes does not have. */
const maxIntervals = 20_000;

export const blackDetect = defineOperation({
  id: "video/black-detect",
  title: "Detect black",
  summary: "Report the intervals of a video that are black.",
  accepts: videos,
  params: z.strictObject({
    threshold: z.number().min(0).max(1).default(0.1).meta({
      description:
        "Brightness from 0 to 1 up to which a pixel is black. In a black frame 98 % of the pixels are.",
      control: "slider",
    }),
    duration: z.number().min(0.01).max(3600).default(0.5).meta({
      description: "Shortest interval that is reported, in seconds.",
      unit: "s",
    }),
  }),
  example: { duration: 0.2 },
  sample: { input: "video.mp4", params: { threshold: 0.2, duration: 0.1 } },
  produces: () => "json",
  result: z.strictObject({
    intervals: z.array(intervalResult).describe("The black parts, in order."),
    total: secondsResult("The duration of all black parts"),
  }),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const source = { file: input, info, video, work, signal, progress };
    const filter = `blackdetect=d=0:pix_th=${params.threshold}:pic_th=0.98`;
    const { entries, end } = await analyzeVideo({ ...source, filters: [filter] });
    if (end === 0) throw new JobError("corrupt", "The video in this file cannot be decoded.");
    const intervals: { start: number; end: number; duration: number }[] = [];
    const add = (start: number, until: number) => {
      const from = Math.max(0, start);
      const to = until;
      // A frame's time is rounded, so an interval may be up to a millisecond too short.
      if (to - from < params.duration - 0.001 || intervals.length >= maxIntervals) return;
      intervals.push({ start: round(from), end: round(to), duration: round(to - from) });
    };
    let open: number | undefined;
    for await (const { name, value } of entries) {
      if (name === "lavfi.black_start") open = value;
      if (name !== "lavfi.black_end" || open === undefined) continue;
      add(open, value);
      open = undefined;
    }
    // An interval that lasts until the end of the video has no end of its own.
    if (open !== undefined) add(open, end);
    const total = intervals.reduce((sum, one) => sum + one.duration, 0);
    const result = { intervals, total: round(total) };
    const output = work.output("json");
    await writeNew(output.path, `${JSON.stringify(result, null, 2)}\n`);
    return { outputs: [output], result };
  },
});

const round = (value: number) => Math.round(value * 1e3) / 1e3;
