import { type FileLimits, type LimitId, limitError, widestLimits } from "#lib/limits/limits.ts";
import { type MediaInfo, toNumber } from "./media-info.ts";

const greatest = (numbers: (number | undefined)[]) => Math.max(0, ...numbers.map((n) => n ?? 0));

/** How what is capped is measured. Real recordings stay far below every cap. */
const measures = {
  framePixels: ({ streams }) => greatest(streams.map((s) => (s.width ?? 0) * (s.height ?? 0))),
  frameSide: ({ streams }) => greatest(streams.flatMap((s) => [s.width, s.height])),
  frameRate: ({ streams }) =>
    greatest(streams.filter((s) => s.type === "video").map((s) => toNumber(s.averageFrameRate))),
  soundChannels: ({ streams }) => greatest(streams.map((s) => s.channels)),
  sampleRate: ({ streams }) => greatest(streams.map((s) => s.sampleRate)),
  streams: ({ streams }) => streams.length,
  duration: ({ duration }) => duration ?? 0,
} as const satisfies Partial<Record<LimitId, (info: MediaInfo) => number>>;

/** Throws `JobError("too_complex")` where `info` is past a cap, before an engine decodes anything. */
export function checkMediaLimits(info: MediaInfo, caps: FileLimits = widestLimits): void {
  for (const [name, measure] of Object.entries(measures)) {
    // The keys of the measures are caps.
    const id = name as keyof typeof measures;
    if (measure(info) > caps[id]) throw limitError(id, caps[id]);
  }
}
