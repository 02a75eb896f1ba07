import type { z } from "zod";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import type { OutputFile, RanStep, ReadonlyResult } from "./operation.ts";

/**
 * Functions of the project that read files of users, and therefore run in a sandboxed worker. A
 * definition is light: it names the function by a dynamic import, so that a caller in another process
 * has its type, but not its packages.
 */

/** What a function of a worker gets. */
export interface WorkerCall<Options = unknown> {
  /** The files of the caller's request, in the worker's folder. */
  readonly files: readonly WorkFile[];
  readonly options: Options;
  /** The worker's own folder; outputs and scratch files are allocated in it. */
  readonly work: WorkFolder;
  readonly progress: (percent: number) => void;
}

/** What a function of a worker returns: files that it has written, and a result of JSON only. */
export type WorkerOutput<Result = undefined> = {
  readonly outputs: readonly OutputFile[];
  readonly warnings?: readonly string[];
  readonly steps?: readonly RanStep[];
} & (undefined extends Result
  ? { readonly result?: ReadonlyResult<Result> }
  : { readonly result: ReadonlyResult<Result> });

export type WorkerRun<Options, Result> = (
  call: WorkerCall<Options>,
) => Promise<WorkerOutput<Result>>;

/** A function that `callInWorker` runs. */
export interface WorkerFunction<Options, Result> {
  /** The URL of the module that defines it. */
  readonly module: string;
  /** Which of the module's definitions it is, from 0. */
  readonly index: number;
  /** Validates the result, which is untrusted: the worker has read a user's file. */
  readonly resultSchema: z.ZodType<Result> | undefined;
  readonly load: () => Promise<WorkerRun<Options, Result>>;
}

/** How the worker loads a function without its types. */
type AnyLoad = () => Promise<WorkerRun<unknown, unknown>>;

/** The definitions of each module, in their order, which is the same in every process. */
const definitions = new Map<string, AnyLoad[]>();

/**
 * Defines a function of a worker. `module` is `import.meta.url` of the file with the definition; it must
 * be exported there, at the top level. `load` imports the function, such as
 * `async () => (await import("./merge-files.ts")).mergeFiles`. Without `resultSchema`, it returns files
 * only.
 */
export function workerFunction<Options>(
  module: string,
  load: () => Promise<WorkerRun<Options, undefined>>,
): WorkerFunction<Options, undefined>;
export function workerFunction<Options, Result>(
  module: string,
  load: () => Promise<WorkerRun<Options, NoInfer<Result>>>,
  resultSchema: z.ZodType<Result>,
): WorkerFunction<Options, Result>;
export function workerFunction<Options, Result>(
  module: string,
  load: () => Promise<WorkerRun<Options, Result>>,
  resultSchema?: z.ZodType<Result>,
): WorkerFunction<Options, Result> {
  const defined = definitions.get(module) ?? [];
  definitions.set(module, defined);
  // The worker gets the options that `callInWorker` has checked against this type.
  defined.push(load as AnyLoad);
  return { module, index: defined.length - 1, resultSchema, load };
}

/** The function with this number in a module; imports the module. */
export async function loadWorkerFunction(
  module: string,
  index: number,
): Promise<WorkerRun<unknown, unknown>> {
  await import(module);
  const load = definitions.get(module)?.[index];
  if (!load) throw new Error(`${module} defines no worker function ${index}`);
  return load();
}

/** Imports the modules and loads all functions that they define. */
export async function loadAllWorkerFunctions(modules: readonly string[]): Promise<void> {
  for (const module of modules) {
    await import(module);
    for (const load of definitions.get(module) ?? []) await load();
  }
}

/** The files of a call, of which there is at least one. */
export function requireFiles(
  files: readonly WorkFile[],
): readonly [WorkFile, ...(WorkFile | undefined)[]] {
  const [first, ...others] = files;
  if (!first) throw new Error("the call has no file");
  return [first, ...others];
}
