import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { JobError } from "#lib/errors.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { defineOperation } from "../../define.ts";
import { videos } from "../../fields/index.ts";
import { countResult, secondsResult } from "../../result-fields.ts";
import { analyzeVideo } from "../../shared/video/analyze-video.ts";

/** A threshold that finds more does not find scenes. */
const maxScenes = 20_000;

export const sceneDetect = defineOperation({
  id: "video/scene-detect",
  title: "Detect scenes",
  summary: "Report where the scenes of a video begin and end.",
  accepts: videos,
  params: z.strictObject({
    threshold: z.number().min(0.01).max(1).default(0.3).meta({
      description:
        "How much a frame must differ from the one before, from 0 (not at all) to 1, to begin a scene.",
      control: "slider",
    }),
  }),
  example: { threshold: 0.4 },
  sample: { input: "video.mp4", params: { threshold: 0.3 } },
  produces: () => "json",
  result: z.strictObject({
    count: countResult("Number of scenes."),
    scenes: z
      .array(
        z.strictObject({
          start: secondsResult("Its start"),
          end: secondsResult("Its end"),
          score: z.number().describe("How much the picture changes at its start, from 0 to 1."),
        }),
      )
      .describe("The scenes, in order."),
  }),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params: { threshold }, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const source = { file: input, info, video, work, signal, progress };
    const { entries, end } = await analyzeVideo({ ...source, filters: ["select='gte(scene,0)'"] });
    if (end === 0) throw new JobError("corrupt", "The video in this file cannot be decoded.");
    const starts = [{ start: 0, score: 0 }];
    for await (const { name, value, seconds } of entries) {
      if (name !== "lavfi.scene_score" || value < threshold || seconds <= 0) continue;
      if (starts.length < maxScenes) starts.push({ start: seconds, score: value });
    }
    const scenes = starts.map(({ start, score }, index) => ({
      start: round(start),
      end: round(starts[index + 1]?.start ?? Math.max(end, start)),
      score: round(score),
    }));
    const result = { count: scenes.length, scenes };
    const output = work.output("json");
    await writeNew(output.path, `${JSON.stringify(result, null, 2)}\n`);
    return { outputs: [output], result };
  },
});

const round = (value: number) => Math.round(value * 1e3) / 1e3;
