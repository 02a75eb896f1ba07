import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { env } from "#lib/env.ts";
import type { DenoiseOptions } from "./denoise-task.ts";
import { denoise } from "./worker-functions.ts";

export interface DenoiseRequest extends DenoiseOptions {
  /** PCM without a header: 16 bits, 48 kHz, channels interleaved; at most 4 GB. */
  readonly file: WorkFile;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly progress?: (percent: number) => void;
}

/**
 * Removes noise from speech, in a worker. Returns a WAV file with as many samples. Throws `JobError`
 * (`timed_out`, `out_of_memory`, `engine_crashed`), and `EngineError` if it was aborted.
 */
export async function denoiseSpeech(request: DenoiseRequest): Promise<WorkFile> {
  const { file, channels, attenuation, work, signal, progress } = request;
  const { outputs } = await callInWorker(denoise, {
    files: [file],
    options: { channels, attenuation },
    work,
    signal,
    timeoutMs: env.JOB_TIMEOUT * 1000,
    ...(progress ? { onProgress: progress } : {}),
  });
  const [filtered] = outputs;
  if (!filtered) throw new Error("a worker returned no audio");
  return filtered;
}
