/** Decoders and filters are at least this many times as fast as playback, on a busy machine. */
const slowestSpeed = 50;

/**
 * How long ffmpeg may take for `seconds` of audio without writing anything, in milliseconds. A filter
 * that drops audio, or needs all of it before its first output, shows no progress meanwhile.
 */
export function decodeTimeMs(seconds: number | undefined): number {
  return 60_000 + ((seconds ?? 0) / slowestSpeed) * 1000;
}
