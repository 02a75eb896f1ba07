import { JobError } from "#lib/errors.ts";
import { maxFramePixels } from "./media-formats.ts";
import { type MediaInfo, toNumber } from "./media-info.ts";

interface MediaLimit {
  readonly most: number;
  readonly measure: (info: MediaInfo) => number;
  /** What is too large, for the public sentence. */
  readonly what: string;
}

const greatest = (numbers: (number | undefined)[]) => Math.max(0, ...numbers.map((n) => n ?? 0));

/** What a file may be before an engine decodes it. Real recordings stay far below every line. */
const mediaLimits: readonly MediaLimit[] = [
  {
    what: "Frames may have at most 35 megapixels (8K)",
    most: maxFramePixels,
    measure: ({ streams }) => greatest(streams.map((s) => (s.width ?? 0) * (s.height ?? 0))),
  },
  {
    what: "Frames may be at most 16,384 pixels wide or high",
    most: 16_384,
    measure: ({ streams }) => greatest(streams.flatMap((s) => [s.width, s.height])),
  },
  {
    what: "Videos may have at most 1,000 frames per second",
    most: 1000,
    measure: ({ streams }) =>
      greatest(streams.filter((s) => s.type === "video").map((s) => toNumber(s.averageFrameRate))),
  },
  {
    // 22.2 is the widest layout in use.
    what: "Sound may have at most 24 channels",
    most: 24,
    measure: ({ streams }) => greatest(streams.map((s) => s.channels)),
  },
  {
    what: "Sound may have at most 768 kHz",
    most: 768_000,
    measure: ({ streams }) => greatest(streams.map((s) => s.sampleRate)),
  },
  {
    what: "Files may have at most 64 streams",
    most: 64,
    measure: ({ streams }) => streams.length,
  },
  {
    what: "Files may last at most 24 hours",
    most: 24 * 3600,
    measure: ({ duration }) => duration ?? 0,
  },
];

/** Throws `JobError("too_complex")` where `info` is past a limit; the sentence names the limit. */
export function checkMediaLimits(info: MediaInfo): void {
  const broken = mediaLimits.find(({ most, measure }) => measure(info) > most);
  if (broken) throw new JobError("too_complex", `This file is too complex. ${broken.what}.`);
}
