import type { Cue } from "#lib/formats/subtitles/cues.ts";
import { writeSrt } from "#lib/formats/subtitles/srt.ts";
import { writeVtt } from "#lib/formats/subtitles/vtt.ts";
import type { Transcript } from "./transcript.ts";

/** How a transcript is written, by `format`. */
export const writers = {
  text: ({ text }) => `${text}\n`,
  srt: (transcript) => writeSrt(toCues(transcript)),
  vtt: (transcript) => writeVtt(toCues(transcript)),
  json: (transcript) => `${JSON.stringify(transcript, null, 2)}\n`,
} as const satisfies Record<string, (transcript: Transcript) => string>;

export type TranscriptFormat = keyof typeof writers;

/** One cue for each segment. */
function toCues({ segments }: Transcript): Cue[] {
  return segments.map(({ start, end, text }) => ({
    start: Math.round(start * 1000),
    // A cue without a duration is not shown.
    end: Math.max(Math.round(end * 1000), Math.round(start * 1000) + 1),
    spans: [{ text: text.replaceAll(/[\r\n]+/g, "\n") }],
  }));
}
