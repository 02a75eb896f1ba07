/** What SRT, WebVTT and ASS have in common. */

/** Text in one style. A line break is `\n`. */
export interface CueSpan {
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  /** The color as `#rrggbb`. */
  readonly color?: string;
}

export interface Cue {
  /** The start in milliseconds, a whole number. */
  readonly start: number;
  readonly end: number;
  readonly spans: readonly CueSpan[];
  /** Where the text is, as on a numeric keypad: 1 is bottom left, 9 top right. The default is 2, bottom center. */
  readonly alignment?: number;
  readonly speaker?: string;
}

export const subtitleFormats = ["srt", "vtt", "ass"] as const;

export type SubtitleFormat = (typeof subtitleFormats)[number];

/** A number of cues that a day of speech does not have. */
const maxCues = 100_000;

export class TooManyCuesError extends Error {}

/** Collects the cues that show text, in the order of their times. */
export function createCueList() {
  const cues: Cue[] = [];
  return {
    add(cue: Cue): void {
      if (!(cue.end > cue.start) || plainText(cue).trim() === "") return;
      if (cues.length >= maxCues) throw new TooManyCuesError("too many cues");
      cues.push(cue);
    },
    // Sorting is stable, so that cues of one time keep their order.
    sorted: (): Cue[] => cues.toSorted((a, b) => a.start - b.start),
  };
}

export function plainText({ spans }: Pick<Cue, "spans">): string {
  return spans.map(({ text }) => text).join("");
}

/** Milliseconds of the parts of a time; a fraction of `.5` or `,5` is half a second. */
export function toMilliseconds(
  hours: string | undefined,
  minutes: string | undefined,
  seconds: string | undefined,
  fraction = "0",
): number {
  const whole = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return whole * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
}

/**
 * Splits a time in milliseconds into `H:MM:SS`, with at least `digits` digits of hours, and the
 * rest.
 */
export function splitTime(milliseconds: number, digits: number): [clock: string, rest: number] {
  const seconds = Math.floor(milliseconds / 1000);
  const pad = (value: number, length = 2) => `${value}`.padStart(length, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return [`${pad(hours, digits)}:${pad(minutes)}:${pad(seconds % 60)}`, milliseconds % 1000];
}
