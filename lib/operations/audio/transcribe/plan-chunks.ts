import type { Interval } from "#lib/engines/ffmpeg/audio/detect-silence.ts";

/**
 * Divides audio of `duration` seconds into chunks of at most `most` seconds. Each ends in the middle of
 * the longest pause in the second half of what it may contain, or where it must if there is none.
 */
export function planChunks(
  pauses: readonly Interval[],
  duration: number,
  most: number,
): Interval[] {
  const chunks: Interval[] = [];
  let start = 0;
  while (duration - start > most) {
    const earliest = start + most / 2;
    const latest = start + most;
    const candidates = pauses
      .map((pause) => ({ middle: (pause.start + pause.end) / 2, length: pause.end - pause.start }))
      .filter(({ middle }) => middle >= earliest && middle <= latest)
      .sort((left, right) => right.length - left.length);
    const end = candidates[0]?.middle ?? latest;
    chunks.push({ start, end });
    start = end;
  }
  return [...chunks, { start, end: duration }];
}
