import type { FileHandle } from "node:fs/promises";
import {
  requireFiles,
  type WorkerCall,
  type WorkerOutput,
} from "#lib/engines/worker/worker-function.ts";
import { createNew, openRegular } from "#lib/files/regular-files.ts";
import { wavHeader } from "#lib/formats/wav/wav-header.ts";
import { delayFrames, frameSamples, openRnnoise } from "./rnnoise.ts";

/** The options for 16-bit PCM at 48 kHz with channels interleaved. */
export interface DenoiseOptions {
  readonly channels: number;
  /** The share of the original that stays, as a factor: 0.1 lowers noise by at most 20 dB. */
  readonly attenuation: number;
}

/** Frames that are read and written at once: one second. */
const framesPerBlock = 100;

/**
 * Removes noise from each channel of `file`, which is PCM without a header, and writes a WAV file with
 * as many samples.
 */
export async function denoise({
  files,
  options: { channels, attenuation },
  work,
  progress,
}: WorkerCall<DenoiseOptions>): Promise<WorkerOutput> {
  const [file] = requireFiles(files);
  const output = work.scratch("wav");
  const rnnoise = await openRnnoise(channels);
  const source = await openRegular(file.path);
  const target = await createNew(output.path);
  try {
    const { size } = await source.stat();
    const total = Math.floor(size / 2 / channels);
    await target.write(wavHeader({ channels, sampleRate: 48_000, frames: total }));
    const block = Buffer.alloc(framesPerBlock * frameSamples * channels * 2);
    // Frames whose result is not known yet. Those after the end are silent.
    const pending: Float32Array[] = [];
    let read = 0;
    let written = 0;
    while (written < total) {
      block.fill(0);
      const { bytesRead } = await readFully(source, block);
      read += bytesRead;
      const results: Buffer[] = [];
      for (let frame = 0; frame < framesPerBlock; frame++) {
        const dry = readFrame(block, frame, channels);
        const wet = rnnoise.process(dry);
        pending.push(dry);
        const original = pending.length > delayFrames ? pending.shift() : undefined;
        if (original) results.push(mixFrame(wet, original, attenuation));
      }
      const bytes = Buffer.concat(results);
      const kept = Math.min(bytes.length, (total - written) * channels * 2);
      await target.write(bytes.subarray(0, kept));
      written += kept / 2 / channels;
      progress((100 * read) / Math.max(1, size));
    }
  } finally {
    rnnoise.close();
    await source.close();
    await target.close();
  }
  return { outputs: [output] };
}

/** Reads until `block` is full or the file ends. */
async function readFully(source: FileHandle, block: Buffer): Promise<{ bytesRead: number }> {
  let length = 0;
  while (length < block.length) {
    const { bytesRead } = await source.read(block, length, block.length - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return { bytesRead: length };
}

/** The samples of a frame, from −32768 to 32767, channels interleaved. */
function readFrame(block: Buffer, frame: number, channels: number): Float32Array<ArrayBuffer> {
  const count = frameSamples * channels;
  const samples = new Float32Array(count);
  for (let index = 0; index < count; index++) {
    samples[index] = block.readInt16LE((frame * count + index) * 2);
  }
  return samples;
}

function mixFrame(wet: Float32Array, dry: Float32Array, attenuation: number): Buffer {
  const bytes = Buffer.alloc(wet.length * 2);
  for (const [index, sample] of wet.entries()) {
    const mixed = Math.round(sample * (1 - attenuation) + (dry[index] ?? 0) * attenuation);
    bytes.writeInt16LE(Math.min(32_767, Math.max(-32_768, mixed)), index * 2);
  }
  return bytes;
}
