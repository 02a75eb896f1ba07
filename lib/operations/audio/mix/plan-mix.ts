import type { Interval } from "#lib/engines/ffmpeg/audio/detect-silence.ts";
import {
  type AudioSource,
  conformFilters,
  type JoinedFormat,
} from "../../shared/audio/join-audio.ts";
import { chooseByTime, splitIntoPieces } from "../../shared/audio/piecewise.ts";

export const mixDurations = ["longest", "shortest", "first"] as const;

/** By how much speech lowers the other files, in dB. */
export const duckDecibels = 12;

/**
 * The ramps in seconds, before speech begins and after it ends; together less than the shortest
 * pause.
 */
const ramp = { down: 0.3, up: 0.4 };

export interface MixPlan {
  /** Factors in the order of the files; 1 for the others. */
  readonly volumes: readonly number[];
  readonly duration: (typeof mixDurations)[number];
  /** When the files after the first are lowered, in seconds. */
  readonly speech: readonly Interval[];
}

/**
 * The filter graphs from all inputs to `[out]`. A limiter keeps the sum below full scale, and changes
 * nothing below it. The times of speech are known before, so that the music is already low when a word
 * begins, which a compressor with a side chain cannot do.
 */
export function planMix(
  sources: readonly AudioSource[],
  joined: JoinedFormat,
  plan: MixPlan,
): string[] {
  const duck = duckFilters(plan.speech, joined.stream.sampleRate);
  const tracks = sources.map((source, index) => {
    const volume = plan.volumes[index] ?? 1;
    const filters = [
      ...conformFilters(source, joined),
      ...(volume === 1 ? [] : [`volume=${volume.toFixed(8)}:precision=double`]),
      ...(index === 0 ? [] : duck),
    ];
    return `[${index}:${source.stream.index}]${filters.join(",")}[a${index}]`;
  });
  const labels = sources.map((_, index) => `[a${index}]`).join("");
  const mixer = `amix=inputs=${sources.length}:duration=${plan.duration}:normalize=0`;
  const limiter = "alimiter=limit=1:attack=5:release=50:level=0:latency=1";
  return [...tracks, `${labels}${mixer},${limiter},aformat=channel_layouts=${joined.layout}[out]`];
}

function duckFilters(speech: readonly Interval[], sampleRate: number): string[] {
  if (speech.length === 0) return [];
  const expression = chooseByTime(speech, ({ start, end }) => {
    const falling = `(t-${(start - ramp.down).toFixed(3)})/${ramp.down}`;
    const rising = `(${(end + ramp.up).toFixed(3)}-t)/${ramp.up}`;
    return `clip(min(${falling},${rising}),0,1)`;
  });
  const volume = `volume='pow(10,-${duckDecibels / 20}*${expression})':eval=frame:precision=double`;
  return [...splitIntoPieces(sampleRate), volume];
}
