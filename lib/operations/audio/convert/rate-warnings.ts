import type { AudioEncoding, fitEncoding } from "#lib/engines/ffmpeg/audio/audio-file.ts";

type Requested = Pick<AudioEncoding, "format" | "bitRate"> & {
  readonly sampleRate: number | undefined;
};

/** Warnings about requested rates that the format does not support. They name those that are used. */
export function rateWarnings(
  { format, sampleRate, bitRate }: Requested,
  used: ReturnType<typeof fitEncoding>,
): string[] {
  const warnings: string[] = [];
  if (sampleRate && sampleRate !== used.sampleRate) {
    warnings.push(
      `The sample rate is ${used.sampleRate} Hz, because ${format} does not support ${sampleRate} Hz.`,
    );
  }
  if (bitRate && bitRate !== used.bitRate) {
    const channels = used.channels === 1 ? "1 channel" : `${used.channels} channels`;
    warnings.push(
      `The bit rate is ${used.bitRate} bit/s, because ${format} does not support ${bitRate} bit/s ` +
        `for ${channels} at ${used.sampleRate} Hz.`,
    );
  }
  return warnings;
}
