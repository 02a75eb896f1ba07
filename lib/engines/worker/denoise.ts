import { env } from "#lib/env.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { slotInputName } from "../warm/slot-folder.ts";
import type { DenoiseOptions } from "./denoise-task.ts";
import { noResultSchema, runWorkerTask } from "./pool.ts";

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
  const { outputs } = await runWorkerTask({
    task: "denoise",
    parameters: { file: slotInputName(file), channels, attenuation, limits: work.limits },
    inputs: [file],
    allocateOutput: (extension) => work.scratch(extension),
    resultSchema: noResultSchema,
    signal,
    timeoutMs: env.JOB_TIMEOUT * 1000,
    ...(progress ? { onProgress: progress } : {}),
  });
  const [filtered] = outputs;
  if (!filtered) throw new Error("a worker returned no audio");
  return filtered;
}
