import { copyFile } from "node:fs/promises";
import { z } from "zod";
import { isSound, requireSound, type SoundStream } from "#lib/engines/ffmpeg/audio.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { rewriteSound } from "#lib/engines/ffmpeg/filter-audio.ts";
import { JobError } from "#lib/errors.ts";
import {
  correctPlan,
  type GainPlan,
  type LoudnessGoal,
  planFilters,
  planGain,
} from "#lib/operations/audio/normalize/gain.ts";
import {
  type Loudness,
  type LoudnessMeasurement,
  measureLoudness,
} from "#lib/operations/audio/normalize/loudness.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { sounds } from "#lib/operations/fields/index.ts";

/** An audio track: how loud it is, and what is done to it; nothing where it is silent. */
interface Track {
  readonly sound: SoundStream;
  readonly before: Loudness;
  readonly plan: GainPlan | undefined;
}

/** One pass measures and one writes; more are needed only where a limiter or a lossy codec moved the level. */
const maxPasses = 5;

export const normalize = defineOperation({
  id: "audio/normalize",
  summary:
    "Bring the sound to a loudness by EBU R 128, in two passes, without passing a true peak.",
  accepts: sounds,
  params: z.strictObject({
    target_lufs: z
      .number()
      .min(-70)
      .max(-5)
      .default(-14)
      .describe("Integrated loudness to reach, LUFS."),
    true_peak: z
      .number()
      .min(-9)
      .max(0)
      .default(-1)
      .describe("True peak not to pass, dBTP; where both cannot be had, it goes before loudness."),
  }),
  example: { target_lufs: -16 },
  produces: (type) => type,
  engine: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const goal = { loudness: params.target_lufs, truePeak: params.true_peak };
    const info = await probe(input, work, signal);
    const main = requireSound(info);
    const { duration } = info;
    const found = info.streams.filter(isSound);
    let tracks: Track[] = [];
    for (const [done, sound] of found.entries()) {
      const tell = (percent: number) => progress((30 * (done + percent / 100)) / found.length);
      const measurement = { file: input, work, signal, stream: sound.index, duration };
      const before = await measureLoudness({ ...measurement, progress: tell });
      if (sound.index === main.index && before.seconds === 0) {
        throw new JobError("corrupt", "The sound in this file cannot be decoded.");
      }
      const plan = await tunePlan(planGain(before, goal), { goal, sound, measurement });
      tracks.push({ sound, before, plan });
    }
    const output = work.output(input.extension);
    const file = { ...output, ...(duration === undefined ? {} : { duration }) };
    const before = resultOf(tracks.find(({ sound }) => sound.index === main.index)?.before);
    if (tracks.every(({ plan }) => !plan)) {
      await copyFile(input.path, output.path);
      return { outputs: [file], result: { before, after: before } };
    }
    let after = new Map<number, Loudness>();
    for (let pass = 1; pass <= maxPasses; pass++) {
      const positions = await rewriteSound({
        ...{ input, info, output, work, signal },
        filters: new Map(tracks.flatMap(filtersOf)),
        progress: (percent) => progress(pass === 1 ? 30 + percent / 2 : 80 + 3 * pass),
      });
      after = new Map();
      for (const { sound } of tracks) {
        const stream = positions.get(sound.index) ?? 0;
        after.set(sound.index, await measureLoudness({ file: output, work, signal, stream }));
      }
      const corrected = tracks.map((track) => correctTrack(track, after, goal));
      if (corrected.every((track, index) => track === tracks[index])) break;
      tracks = corrected;
    }
    return { outputs: [file], result: { before, after: resultOf(after.get(main.index)) } };
  },
});

function filtersOf({ sound, plan }: Track): [number, string[]][] {
  return plan ? [[sound.index, planFilters(plan, sound.sampleRate)]] : [];
}

/** `track` itself where it came out well. */
function correctTrack(track: Track, after: Map<number, Loudness>, goal: LoudnessGoal): Track {
  const measured = after.get(track.sound.index);
  const plan = track.plan && measured && correctPlan(track.plan, measured, goal);
  return plan ? { ...track, plan } : track;
}

/** Finds by listening, before anything is written, what gain goes into a limiter for `goal`. */
async function tunePlan(
  plan: GainPlan | undefined,
  to: { goal: LoudnessGoal; sound: SoundStream; measurement: LoudnessMeasurement },
): Promise<GainPlan | undefined> {
  let tuned = plan;
  for (let pass = 0; tuned?.ceiling !== undefined && pass < maxPasses; pass++) {
    const filters = planFilters(tuned, to.sound.sampleRate);
    const next = correctPlan(tuned, await measureLoudness({ ...to.measurement, filters }), to.goal);
    if (!next) break;
    tuned = next;
  }
  return tuned;
}

function resultOf(loudness: Loudness | undefined) {
  return {
    integrated_lufs: loudness?.integrated ?? null,
    true_peak_dbtp: loudness?.truePeak ?? null,
    loudness_range_lu: loudness?.range ?? null,
  };
}
