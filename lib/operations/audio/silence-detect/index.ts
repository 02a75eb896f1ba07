import { z } from "zod";
import { detectSilence } from "#lib/engines/ffmpeg/audio/detect-silence.ts";
import { fillGaps } from "#lib/engines/ffmpeg/audio/gaps.ts";
import { requireAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { JobError } from "#lib/errors.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { audioInputs, silenceDuration, silenceThreshold } from "#lib/operations/fields/index.ts";
import { intervalResult, secondsResult } from "#lib/operations/result-fields.ts";

export const silenceDetect = defineOperation({
  id: "audio/silence-detect",
  title: "Detect silence",
  summary: "Find the silences of audio: their start, end and duration.",
  accepts: audioInputs,
  params: z.strictObject({
    threshold: silenceThreshold,
    duration: silenceDuration("The shortest silence that is reported, in seconds."),
  }),
  example: { threshold: -45 },
  sample: { input: "speech.mp3" },
  produces: () => "json",
  result: z.strictObject({
    duration: secondsResult("The duration of the audio"),
    silent_seconds: secondsResult("The duration of all silences"),
    silences: z.array(intervalResult).describe("The silences, in order."),
  }),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const stream = requireAudio(info);
    const isVideo = input.type.kind === "video";
    const { silences, duration } = await detectSilence({
      file: input,
      stream,
      filters: isVideo ? fillGaps : [],
      work,
      signal,
      progress,
      duration: info.duration,
      threshold: params.threshold,
      minSeconds: params.duration,
    });
    if (duration === 0) throw new JobError("corrupt", "The audio in this file cannot be decoded.");
    // The audio of a video may start later than the video.
    const offset = Math.max(0, (stream.startTime ?? 0) - (info.startTime ?? 0));
    const shift = isVideo ? offset : 0;
    const total = silences.reduce((sum, { start, end }) => sum + end - start, 0);
    const result = {
      duration: toMilliseconds(duration),
      silent_seconds: toMilliseconds(total),
      silences: silences.map(({ start, end }) => ({
        start: toMilliseconds(start + shift),
        end: toMilliseconds(end + shift),
        duration: toMilliseconds(end - start),
      })),
    };
    const output = work.output("json");
    await writeNew(output.path, `${JSON.stringify(result, null, 2)}\n`);
    return { outputs: [output], result };
  },
});

/** Rounds seconds to the millisecond. */
function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
