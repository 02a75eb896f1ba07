import { z } from "zod";
import { countSamples } from "#lib/engines/ffmpeg/audio/count-samples.ts";
import { measureTimeline } from "#lib/engines/ffmpeg/audio/loudness.ts";
import { requireAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { JobError } from "#lib/errors.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { audioInputs } from "#lib/operations/fields/index.ts";
import { loudnessResult, toLoudnessResult } from "#lib/operations/result-fields.ts";

/**
 * Measures the main audio track. `by_second` has one list for each value; the first items are those of
 * the first second.
 */
export const loudness = defineOperation({
  id: "audio/loudness",
  title: "Measure loudness",
  summary: "Measure the loudness of audio by EBU R 128: LUFS, range, true peak, and by second.",
  accepts: audioInputs,
  params: z.strictObject({}),
  example: {},
  sample: { input: "podcast.mp3" },
  produces: () => "json",
  result: loudnessResult.extend({
    by_second: z
      .strictObject({
        momentary_max_lufs: z
          .array(z.number().nullable())
          .describe("The highest momentary loudness of each second."),
        short_term_lufs: z
          .array(z.number().nullable())
          .describe("The short-term loudness, of three seconds, at the end of each second."),
      })
      .describe("One value for each second; null where it is silent or not known yet."),
  }),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const { index: stream } = requireAudio(info);
    const { duration } = info;
    const reading = await measureTimeline({
      file: input,
      work,
      signal,
      stream,
      duration,
      progress,
    });
    // Audio shorter than 0.1 seconds gives no reading.
    const isEmpty =
      reading.seconds === 0 && (await countSamples({ file: input, work, signal, stream })) === 0;
    if (isEmpty) {
      throw new JobError("corrupt", "The audio in this file cannot be decoded.");
    }
    const result = {
      ...toLoudnessResult(reading),
      by_second: {
        momentary_max_lufs: reading.timeline.momentary,
        short_term_lufs: reading.timeline.shortTerm,
      },
    };
    const output = work.output("json");
    await writeNew(output.path, `${JSON.stringify(result)}\n`);
    return { outputs: [output], result };
  },
});
