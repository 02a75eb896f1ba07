import { availableParallelism } from "node:os";
import { z } from "zod";
import { env } from "#lib/env.ts";
import { internalMessage, JobError, type JobErrorCode, jobErrorFault } from "#lib/errors.ts";
import { widestLimits } from "#lib/limits/limits.ts";
import { EngineError } from "../sandbox/errors.ts";
import { explainEngineFailure } from "../sandbox/failures.ts";
import type { WorkFile } from "../sandbox/work-folder.ts";
import type { LineReply } from "../warm/line-process.ts";
import { WarmPool } from "../warm/pool.ts";
import { ImageWorker } from "./process.ts";

/** Sandboxed processes of 100 to 200 MB each; more than four would gain little on one machine. */
const most = 4;

/** AVIF of 100 megapixels takes some two minutes on two cores. */
const defaultTimeoutMs = widestLimits.imageSeconds * 1000;

const size = Math.min(env.MEDIA_CONCURRENCY ?? availableParallelism(), most);

const open = () =>
  new WarmPool({ engine: "image", size, maxUses: 500, start: () => ImageWorker.start() });

let pool: WarmPool<ImageWorker> | undefined;

function currentPool(): WarmPool<ImageWorker> {
  pool ??= open();
  return pool;
}

/** Starts every image worker ahead of need. */
export function warmImagePool(): Promise<void> {
  return currentPool().warm();
}

/** Ends every image worker; the next task starts new ones. */
export async function closeImagePool(): Promise<void> {
  const closing = pool;
  pool = undefined;
  await closing?.close();
}

export interface ImageTask {
  /** Which task of the worker; the rest of `parameters` is its own affair. */
  readonly task: string;
  readonly parameters: Record<string, unknown>;
  /** Files that the worker reads, each under its `slotName`. */
  readonly inputs: readonly WorkFile[];
  /** Mints the place of an output in the job's work folder. */
  readonly mint: (extension: string) => WorkFile;
  readonly signal: AbortSignal;
  /** Wall clock; that of an image. */
  readonly timeoutMs?: number;
  readonly onProgress?: (percent: number) => void;
}

const dimension = z.number().positive().finite().optional();

/** What a worker answers is hostile input: it has read the file. */
const answerSchema = z.object({
  outputs: z
    .array(
      z.object({
        name: z.string().regex(/^(out|tmp)-\d{1,6}\.[a-z0-9]{1,8}$/),
        width: dimension,
        height: dimension,
        duration: dimension,
        pages: dimension,
        suffix: z
          .string()
          .regex(/^[a-z0-9-]{1,40}$/)
          .optional(),
      }),
    )
    .max(10_000),
  result: z.record(z.string(), z.json()).optional(),
});

export interface ImageTaskResult {
  readonly outputs: (WorkFile & Omit<z.output<typeof answerSchema>["outputs"][number], "name">)[];
  readonly result?: Record<string, unknown>;
}

/**
 * Has an image worker do `task` and moves its outputs out, in order. Throws `JobError`, or
 * `EngineError` with `aborted` where `signal` stopped it.
 */
export async function runImageTask(task: ImageTask): Promise<ImageTaskResult> {
  const { parameters, inputs, signal, onProgress, timeoutMs = defaultTimeoutMs } = task;
  try {
    return await currentPool().use(async (worker) => {
      if (signal.aborted) throw new EngineError({ engine: "image", aborted: true });
      for (const file of inputs) await worker.slot.takeIn(file);
      const message = { ...parameters, task: task.task };
      const options = { timeoutMs, signal, ...(onProgress ? { onProgress } : {}) };
      const reply = await worker.request(message, options);
      if (reply.error) throw toJobError(reply.error);
      return collect(worker, answerSchema.parse(reply.result), task.mint);
    }, leavesWorkerSound);
  } catch (error) {
    throw explainEngineFailure(error);
  }
}

/** A file that is bad in a known way, or a job stopped before its turn. */
function leavesWorkerSound(error: unknown): boolean {
  return error instanceof JobError ? error.fault === "caller" : isAborted(error);
}

const isAborted = (error: unknown) => error instanceof EngineError && error.aborted;

async function collect(
  worker: ImageWorker,
  answer: z.output<typeof answerSchema>,
  mint: ImageTask["mint"],
): Promise<ImageTaskResult> {
  const outputs = [];
  for (const { name, ...facts } of answer.outputs) {
    const place = mint(name.slice(name.lastIndexOf(".") + 1));
    await worker.slot.moveOut(name, place.path);
    outputs.push({ ...facts, ...place });
  }
  return { outputs, ...(answer.result ? { result: answer.result } : {}) };
}

function toJobError({ code, message, detail }: NonNullable<LineReply["error"]>): JobError {
  const cause = detail === undefined ? undefined : new Error(detail.slice(0, 4000));
  const known = Object.hasOwn(jobErrorFault, code) && code !== "internal";
  if (!known) return new JobError("internal", internalMessage, { cause });
  return new JobError(code as JobErrorCode, message.slice(0, 500), { cause }); // hasOwn has looked it up
}
