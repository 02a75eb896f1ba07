import { join } from "node:path";
import type { z } from "zod";
import { projectFolder } from "../sandbox/bubblewrap.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { slotInputName } from "../warm/slot-folder.ts";
import type { TaskOutput } from "./image-tasks.ts";
import { runWorkerTask, type WorkerTaskResult } from "./pool.ts";

/** Functions of the project that read files of users, and therefore run in a sandboxed worker. */

export interface WorkerCall<Options> {
  readonly files: readonly WorkFile[];
  readonly options: Options;
  /** The worker's own folder; outputs and scratch files are allocated in it. */
  readonly work: WorkFolder;
  readonly progress: (percent: number) => void;
}

/** An exported function that `callInWorker` can run. Its outputs are files that it has written. */
export type WorkerFunction<Options> = (call: WorkerCall<Options>) => Promise<TaskOutput>;

export interface SerializedCall {
  /** Absolute path of the module. */
  readonly module: string;
  readonly name: string;
  /** Names of files in the slot folder. */
  readonly files: readonly string[];
  readonly options: unknown;
}

export interface WorkerCallRequest<Result> {
  /** Path of the module in `lib`, such as `engines/pdf/tasks/merge.ts`. */
  readonly module: string;
  /** The name of the exported `WorkerFunction`. */
  readonly name: string;
  readonly files: readonly WorkFile[];
  /** JSON only. */
  readonly options: unknown;
  /** Validates the `result`; `noResultSchema` if there is none. */
  readonly resultSchema: z.ZodType<Result>;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  readonly onProgress?: (percent: number) => void;
}

/**
 * Runs a `WorkerFunction` in a sandboxed worker; its outputs become scratch files of `work`. Throws the
 * function's `JobError`, and like every worker task.
 */
export function callInWorker<Result>(
  request: WorkerCallRequest<Result>,
): Promise<WorkerTaskResult<Result>> {
  const { module, name, files, options, work, ...rest } = request;
  const call: SerializedCall = {
    module: join(projectFolder(), "lib", module),
    name,
    files: files.map(slotInputName),
    options,
  };
  return runWorkerTask({
    ...rest,
    task: "call",
    parameters: { ...call, limits: work.limits },
    inputs: files,
    allocateOutput: (extension) => work.scratch(extension),
  });
}
