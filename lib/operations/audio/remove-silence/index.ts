import { z } from "zod";
import { detectSilence } from "#lib/engines/ffmpeg/audio/detect-silence.ts";
import { editAudio, editedType } from "#lib/engines/ffmpeg/audio/edit-audio.ts";
import { alignToFile } from "#lib/engines/ffmpeg/audio/gaps.ts";
import { requireAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { audioInputs, silenceDuration, silenceThreshold } from "#lib/operations/fields/index.ts";
import { countResult, secondsResult } from "#lib/operations/result-fields.ts";
import { dropIntervals } from "../../shared/audio/piecewise.ts";
import { planCuts } from "./plan-cuts.ts";

export const removeSilence = defineOperation({
  id: "audio/remove-silence",
  title: "Remove silence",
  summary: "Shorten the pauses of audio. For a video, the output is its audio track.",
  accepts: audioInputs,
  params: z.strictObject({
    threshold: silenceThreshold,
    duration: silenceDuration(
      "The longest pause that stays, in seconds. Longer ones are shortened to it, and at the start and at the end of the audio to half of it.",
    ),
  }),
  example: { threshold: -60 },
  sample: { input: "speech.mp3", params: { threshold: -50 } },
  produces: (type) => editedType(type),
  result: z.strictObject({
    cuts: countResult("Number of pauses that were shortened."),
    removed_seconds: secondsResult("How much was removed"),
  }),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const stream = requireAudio(info);
    const { silences, duration } = await detectSilence({
      file: input,
      stream,
      filters: input.type.kind === "video" ? alignToFile : [],
      work,
      signal,
      duration: info.duration,
      threshold: params.threshold,
      minSeconds: params.duration,
      progress: (percent) => progress(percent / 2),
    });
    if (duration === 0) throw new JobError("corrupt", "The audio in this file cannot be decoded.");
    const cuts = planCuts(silences, duration, params.duration);
    const removedBefore = (seconds: number) =>
      cuts.reduce((sum, { start, end }) => sum + clampLength(seconds, start, end), 0);
    const removed = removedBefore(duration);
    const { output, isEmpty } = await editAudio({
      input,
      info,
      work,
      signal,
      progress: (percent) => progress(50 + percent / 2),
      filters: ({ sampleRate }) => dropIntervals(cuts, sampleRate),
      duration: duration - removed,
      mapTime: (seconds) => seconds - removedBefore(seconds),
    });
    if (isEmpty) throw new JobError("empty", "The audio has nothing but silence.");
    const result = { cuts: cuts.length, removed_seconds: Math.round(removed * 1000) / 1000 };
    return { outputs: [output], result };
  },
});

/** How much of the interval from `start` to `end` is before `seconds`. */
function clampLength(seconds: number, start: number, end: number): number {
  return Math.min(Math.max(0, seconds - start), end - start);
}
