import { z } from "zod";

/** What was said, with times in seconds. */
export interface Transcript {
  /** The language as the server names it, such as `english` or `en`; null if it does not. */
  readonly language: string | null;
  readonly text: string;
  readonly segments: readonly Segment[];
  /** The words; empty if the server does not report them. */
  readonly words: readonly Word[];
}

export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Word {
  readonly start: number;
  readonly end: number;
  readonly word: string;
}

const seconds = z.number().min(0);

const word = z.object({ word: z.string().max(1000), start: seconds, end: seconds });

/** A `verbose_json` response. Some servers put the words into the segments. */
const responseSchema = z.object({
  text: z.string(),
  language: z.string().max(100).nullish(),
  segments: z
    .array(
      z.object({ start: seconds, end: seconds, text: z.string(), words: z.array(word).nullish() }),
    )
    .nullish(),
  words: z.array(word).nullish(),
});

/**
 * Parses the response of a server for a chunk of `duration` seconds that starts at `offset` seconds.
 * Throws if it is no such response.
 */
export function parseTranscript(body: string, offset: number, duration: number): Transcript {
  const response = responseSchema.parse(JSON.parse(body));
  const text = response.text.trim();
  const place = (time: number) => round(offset + Math.min(time, duration));
  const placed = <Timed extends { start: number; end: number }>({
    start,
    end,
    ...rest
  }: Timed) => ({
    start: place(start),
    end: place(Math.max(start, end)),
    ...rest,
  });
  const whole = text === "" ? [] : [{ start: 0, end: duration, text }];
  const segments = response.segments ?? whole;
  const words = response.words ?? response.segments?.flatMap((one) => one.words ?? []) ?? [];
  return {
    language: response.language ?? null,
    text,
    segments: segments
      .map(({ start, end, text }) => placed({ start, end, text: text.trim() }))
      .filter((segment) => segment.text !== ""),
    words: words.map(({ start, end, word }) => placed({ start, end, word: word.trim() })),
  };
}

/** Joins the transcripts of the chunks of a recording, in order. */
export function joinTranscripts(parts: readonly Transcript[]): Transcript {
  return {
    language: parts.find(({ language }) => language !== null)?.language ?? null,
    text: parts
      .map(({ text }) => text)
      .filter((text) => text !== "")
      .join("\n"),
    segments: parts.flatMap(({ segments }) => segments),
    words: parts.flatMap(({ words }) => words),
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
