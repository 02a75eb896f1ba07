import { type FileLimits, type LimitId, limitError, widestLimits } from "#lib/limits/limits.ts";
import { type MediaInfo, toNumber } from "./media-info.ts";

const maximum = (numbers: (number | undefined)[]) => Math.max(0, ...numbers.map((n) => n ?? 0));

/** How each limited property is measured. Real recordings stay far below every limit. */
const measures = {
  framePixels: ({ streams }) => maximum(streams.map((s) => (s.width ?? 0) * (s.height ?? 0))),
  frameSide: ({ streams }) => maximum(streams.flatMap((s) => [s.width, s.height])),
  frameRate: ({ streams }) =>
    maximum(streams.filter((s) => s.type === "video").map((s) => toNumber(s.averageFrameRate))),
  audioChannels: ({ streams }) => maximum(streams.map((s) => s.channels)),
  sampleRate: ({ streams }) => maximum(streams.map((s) => s.sampleRate)),
  streams: ({ streams }) => streams.length,
  duration: ({ duration }) => duration ?? 0,
} as const satisfies Partial<Record<LimitId, (info: MediaInfo) => number>>;

/**
 * Throws `JobError("too_complex")` if `info` exceeds a limit, before an engine decodes anything.
 */
export function checkMediaLimits(info: MediaInfo, limits: FileLimits = widestLimits): void {
  for (const [name, measure] of Object.entries(measures)) {
    // The keys of the measures are ids of limits.
    const id = name as keyof typeof measures;
    if (measure(info) > limits[id]) throw limitError(id, limits[id]);
  }
}
