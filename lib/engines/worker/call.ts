import type { FileLimits } from "#lib/limits/limits.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { type MemoryFile, runWorkerTask, type WorkerTaskResult } from "./pool.ts";
import type { WorkerFunction } from "./worker-function.ts";

export type WorkerCallRequest<Options> = {
  readonly files?: readonly WorkFile[];
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  /** The limit for an image by default. */
  readonly timeoutMs?: number;
  readonly onProgress?: (percent: number) => void;
  /** Allocates the path of an output; by default that of a scratch file of `work`. */
  readonly allocateOutput?: (extension: string) => WorkFile;
} & OptionsOf<Options>;

/** The options of a worker function, which are JSON only. A function without options takes none. */
export type OptionsOf<Options> = unknown extends Options
  ? { readonly options?: undefined }
  : { readonly options: Options };

/**
 * Runs a function in a sandboxed worker and moves its outputs out, in order. Throws the function's
 * `JobError`, and `EngineError` with `aborted` if `signal` stopped it.
 */
export function callInWorker<Options, Result>(
  { module, index, resultSchema }: WorkerFunction<Options, Result>,
  request: WorkerCallRequest<NoInfer<Options>>,
): Promise<WorkerTaskResult<Result>> {
  const { files = [], options, work, allocateOutput, ...rest } = request;
  const allocate = allocateOutput ?? ((extension: string) => work.scratch(extension));
  return runWorkerTask<Result, WorkFile>({
    ...rest,
    module,
    index,
    files,
    options,
    limits: work.limits,
    resultSchema,
    takeOutput: async (slot, name) => {
      const file = allocate(name.slice(name.lastIndexOf(".") + 1));
      await slot.moveOut(name, file.path);
      return file;
    },
  });
}

/**
 * The same for small files in memory, without a work folder: much of the time that a small image takes
 * is that of its files.
 */
export function callInWorkerWithBytes<Options, Result>(
  { module, index, resultSchema }: WorkerFunction<Options, Result>,
  request: {
    readonly files: readonly MemoryFile[];
    readonly limits: FileLimits;
    readonly signal: AbortSignal;
    readonly timeoutMs: number;
  } & OptionsOf<NoInfer<Options>>,
): Promise<WorkerTaskResult<Result, { readonly bytes: Buffer }>> {
  return runWorkerTask<Result, { readonly bytes: Buffer }>({
    ...request,
    options: request.options,
    module,
    index,
    resultSchema,
    takeOutput: (slot, name) => ({ bytes: slot.readOut(name) }),
  });
}
