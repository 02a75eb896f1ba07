import type { RnnoiseModule } from "@jitsi/rnnoise-wasm/dist/rnnoise-sync.js";

/** RNNoise removes noise from speech with a neural network, which is in the package. */

/** Samples of one channel in a frame: 10 ms at 48 kHz. */
export const frameSamples = 480;

/** The result of a frame comes that many frames later (measured: its windows overlap, and it looks ahead). */
export const delayFrames = 2;

export interface Rnnoise {
  /** Filters one frame of interleaved 16-bit samples. Returns the result of an earlier one. */
  readonly process: (frame: Float32Array) => Float32Array;
  readonly close: () => void;
}

/** Loads RNNoise, with a state for each channel. */
export async function openRnnoise(channels: number): Promise<Rnnoise> {
  const { default: createModule } = await import("@jitsi/rnnoise-wasm/dist/rnnoise-sync.js");
  const rnnoise: RnnoiseModule = createModule();
  await rnnoise.ready;
  const buffer = rnnoise._malloc(frameSamples * Float32Array.BYTES_PER_ELEMENT);
  const offset = buffer / Float32Array.BYTES_PER_ELEMENT;
  // 0: the built-in model.
  const states = Array.from({ length: channels }, () => rnnoise._rnnoise_create(0));
  return {
    process(frame) {
      const result = new Float32Array(frame.length);
      for (const [channel, state] of states.entries()) {
        // Looked up each time, because growing memory replaces it.
        const memory = rnnoise.HEAPF32;
        for (let index = 0; index < frameSamples; index++) {
          memory[offset + index] = frame[index * channels + channel] ?? 0;
        }
        rnnoise._rnnoise_process_frame(state, buffer, buffer);
        for (let index = 0; index < frameSamples; index++) {
          result[index * channels + channel] = rnnoise.HEAPF32[offset + index] ?? 0;
        }
      }
      return result;
    },
    close() {
      for (const state of states) rnnoise._rnnoise_destroy(state);
      rnnoise._free(buffer);
    },
  };
}
