export interface WavFormat {
  readonly channels: number;
  /** The sample rate in Hz. */
  readonly sampleRate: number;
  /** The number of samples of each channel. */
  readonly frames: number;
}

/** The header of a WAV file of 16-bit PCM, which is at most 4 GiB long. */
export function wavHeader({ channels, sampleRate, frames }: WavFormat): Buffer {
  const frameBytes = channels * 2;
  const dataBytes = frames * frameBytes;
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + dataBytes, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * frameBytes, 28);
  header.writeUInt16LE(frameBytes, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(dataBytes, 40);
  return header;
}
