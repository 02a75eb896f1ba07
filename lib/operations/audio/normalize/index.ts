import { z } from "zod";
import { filterAudio } from "#lib/engines/ffmpeg/audio/filter-audio.ts";
import { type Loudness, measureLoudness } from "#lib/engines/ffmpeg/audio/loudness.ts";
import {
  type AudioStream,
  isDecodableAudio,
  requireAudio,
} from "#lib/engines/ffmpeg/audio-streams.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { JobError } from "#lib/errors.ts";
import { copyToNew } from "#lib/files/regular-files.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { audioInputs } from "#lib/operations/fields/index.ts";
import { loudnessResult, toLoudnessResult } from "#lib/operations/result-fields.ts";
import {
  type EncodingAttempt,
  maxAttempts,
  planNextAttempt,
} from "../../shared/audio/encoding-attempts.ts";
import {
  flattensAudio,
  type LoudnessTarget,
  type NormalizationPlan,
  planFilters,
  planNormalization,
} from "../../shared/audio/normalization-plan.ts";
import { tunePlan } from "../../shared/audio/tune-plan.ts";

/** An audio track, its loudness, and how it is normalized. A silent track has no plan. */
interface Track {
  readonly stream: AudioStream;
  readonly before: Loudness;
  readonly plan: NormalizationPlan | undefined;
  readonly isTrimmed: boolean;
  readonly attempts: readonly EncodingAttempt[];
}

export const normalize = defineOperation({
  id: "audio/normalize",
  title: "Normalize loudness",
  summary: "Normalize the loudness of audio by EBU R 128, and limit its true peak.",
  accepts: audioInputs,
  params: z.strictObject({
    target_lufs: z.number().min(-70).max(-5).default(-14).meta({
      description: "Target of the integrated loudness, in LUFS.",
      control: "slider",
      unit: "LUFS",
    }),
    true_peak: z.number().min(-9).max(0).default(-1).meta({
      description:
        "Maximum true peak, in dBTP. It is never exceeded, even if the target loudness is then not reached.",
      control: "slider",
      unit: "dBTP",
    }),
  }),
  example: { target_lufs: -16 },
  sample: { input: "audio.flac" },
  produces: (type) => type,
  result: z.strictObject({
    before: loudnessResult.describe("The loudness of the input."),
    after: loudnessResult.describe("The loudness of the output."),
  }),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const target = { loudness: params.target_lufs, truePeak: params.true_peak };
    const info = await probe(input, work, signal);
    const main = requireAudio(info);
    const { duration } = info;
    const found = info.streams.filter(isDecodableAudio);
    let tracks: Track[] = [];
    for (const [done, stream] of found.entries()) {
      const report = (percent: number) => progress((30 * (done + percent / 100)) / found.length);
      const measurement = { file: input, work, signal, stream: stream.index, duration };
      const before = await measureLoudness({ ...measurement, progress: report });
      if (stream.index === main.index && before.seconds === 0) {
        throw new JobError("corrupt", "The audio in this file cannot be decoded.");
      }
      const firstPlan = planNormalization(before, target);
      const plan = await tunePlan(firstPlan, {
        target,
        sampleRate: stream.sampleRate,
        measurement,
      });
      tracks.push({ stream, before, plan, isTrimmed: false, attempts: [] });
    }
    const output = work.output(input.extension);
    const file = { ...output, ...(duration === undefined ? {} : { duration }) };
    const before = toLoudnessResult(
      tracks.find(({ stream }) => stream.index === main.index)?.before,
    );
    if (tracks.every(({ plan }) => !plan)) {
      await copyToNew(input.path, output.path);
      return { outputs: [file], result: { before, after: before } };
    }
    let after = new Map<number, Loudness>();
    // More than one is needed only if a limiter or a lossy codec changed the level.
    for (let pass = 1; pass <= maxAttempts; pass++) {
      const { positions } = await filterAudio({
        input,
        info,
        output,
        work,
        signal,
        filters: new Map(tracks.flatMap(filtersOf)),
        flattened: new Set(tracks.flatMap(flattenedIndex)),
        progress: (percent) => progress(pass === 1 ? 30 + percent / 2 : 80 + 2 * pass),
      });
      after = new Map();
      for (const { stream: source } of tracks) {
        const stream = positions.get(source.index) ?? 0;
        after.set(source.index, await measureLoudness({ file: output, work, signal, stream }));
      }
      const corrected = tracks.map((track) => correctTrack(track, after, target));
      if (corrected.every((track, index) => track === tracks[index])) break;
      tracks = corrected;
    }
    return { outputs: [file], result: { before, after: toLoudnessResult(after.get(main.index)) } };
  },
});

function filtersOf({ stream, plan }: Track): [number, string[]][] {
  return plan ? [[stream.index, planFilters(plan, stream.sampleRate)]] : [];
}

function flattenedIndex({ stream, plan }: Track): number[] {
  return plan && flattensAudio(plan) ? [stream.index] : [];
}

/** A track with its next plan, or `track` itself if its output is good. */
function correctTrack(track: Track, after: Map<number, Loudness>, target: LoudnessTarget): Track {
  const { stream, plan, isTrimmed } = track;
  const measured = after.get(stream.index);
  if (!plan || !measured) return track;
  const attempts = [...track.attempts, { plan, after: measured, isTrimmed }];
  const next = planNextAttempt(attempts, target);
  return next ? { ...track, ...next, attempts } : track;
}
