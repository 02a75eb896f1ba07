import { AsyncLocalStorage } from "node:async_hooks";
import { availableParallelism } from "node:os";
import { z } from "zod";
import { env } from "#lib/env.ts";
import { internalMessage, JobError, type JobErrorCode, jobErrorFault } from "#lib/errors.ts";
import { widestLimits } from "#lib/limits/limits.ts";
import { timeStep } from "#lib/timings.ts";
import { jpegChangeSchema } from "../jpegtran/jpeg-change.ts";
import { EngineError } from "../sandbox/failures/errors.ts";
import { translateEngineError } from "../sandbox/failures/failures.ts";
import type { WorkFile } from "../sandbox/work-folder.ts";
import type { JsonLinesReply } from "../warm/json-lines-process.ts";
import { WarmPool } from "../warm/pool.ts";
import { type SlotFolder, slotInputName } from "../warm/slot-folder.ts";
import type { WorkerMessage } from "./message.ts";
import { WorkerProcess } from "./process.ts";

/** Each worker uses 100 to 200 MB of memory. More than four are hardly faster on one machine. */
const maxWorkers = 4;

/** Encoding 100 megapixels as AVIF takes about two minutes on two cores. */
const defaultTimeoutMs = widestLimits.imageSeconds * 1000;

const size = Math.min(env.MEDIA_CONCURRENCY ?? availableParallelism(), maxWorkers);

const open = (workers: number) =>
  new WarmPool({
    engine: "image",
    size: workers,
    maxUses: 500,
    start: () => WorkerProcess.start(),
  });

let pool: WarmPool<WorkerProcess> | undefined;

/** The one worker of live previews, which are never in the way of a job. */
let previewPool: WarmPool<WorkerProcess> | undefined;

const previewing = new AsyncLocalStorage<true>();

/** Runs `work`, whose tasks are those of a live preview: they have a worker of their own and one thread. */
export function runAsPreview<Result>(work: () => Promise<Result>): Promise<Result> {
  return previewing.run(true, work);
}

function currentPool(): WarmPool<WorkerProcess> {
  if (previewing.getStore()) {
    previewPool ??= open(1);
    return previewPool;
  }
  pool ??= open(size);
  return pool;
}

/** Starts every worker before it is needed. */
export function warmUpWorkerPool(): Promise<void> {
  return currentPool().warmUp();
}

/** Stops every worker; the next task starts new ones. */
export async function closeWorkerPool(): Promise<void> {
  const closing = [pool, previewPool];
  pool = undefined;
  previewPool = undefined;
  for (const one of closing) await one?.close();
}

/** More threads hardly make an image faster. */
const maxThreads = 4;

/** Threads of libvips for the next task: the cores that the other busy workers leave to it. */
function threadsPerWorker(): number {
  if (previewing.getStore()) return 1;
  const share = Math.floor(availableParallelism() / currentPool().busy);
  return Math.max(1, Math.min(share, maxThreads));
}

/** A small file in memory, which only a worker gets to see. */
export interface MemoryFile {
  /** A name such as `in/0.png`. */
  readonly name: string;
  readonly content: Uint8Array;
}

/** A call of a function, without its types. */
interface WorkerTask<Result, Output> extends Omit<WorkerMessage, "files" | "threads"> {
  /** Files that the worker reads under their `slotInputName`. */
  readonly files: readonly (WorkFile | MemoryFile)[];
  /** Takes an output, a `slotOutputName`, out of the worker's folder. */
  readonly takeOutput: (slot: SlotFolder, name: string) => Output | Promise<Output>;
  /** Validates the `result` of the reply; undefined if there is none. */
  readonly resultSchema: z.ZodType<Result> | undefined;
  readonly signal: AbortSignal;
  /** The limit for an image by default. */
  readonly timeoutMs?: number;
  readonly onProgress?: (percent: number) => void;
}

const dimension = z.number().positive().finite().optional();

/** See lib/engines/image/encoding.ts. */
const encodingSchema = z.strictObject({
  format: z.enum(["jpeg", "png", "webp", "gif", "heif"]),
  isProgressive: z.boolean().optional(),
  chromaSubsampling: z.string().max(20).optional(),
  bitsPerSample: dimension,
  density: dimension,
  resolutionUnit: z.enum(["inch", "cm"]).optional(),
  isLossless: z.boolean().optional(),
});

/** The replies are untrusted: the worker has read a user's file. */
const outputSchema = z.object({
  name: z.string().regex(/^(out|tmp|kept-step)-\d{1,6}\.[a-z0-9]{1,8}$/),
  width: dimension,
  height: dimension,
  duration: dimension,
  pages: dimension,
  encoding: encodingSchema.optional(),
  suffix: z.templateLiteral(["-", z.string().regex(/^[a-z0-9-]{1,39}$/)]).optional(),
  filename: z.string().max(300).optional(),
  jpegChange: jpegChangeSchema.optional(),
});

const replySchema = z.object({
  outputs: z.array(outputSchema).max(10_000),
  result: z.json().optional(),
  warnings: z.array(z.string()).max(10_000).optional(),
  steps: z
    .array(z.object({ ms: z.number().min(0).finite(), output: outputSchema.optional() }))
    .max(10)
    .optional(),
});

type ReplyOutput = z.output<typeof outputSchema>;

type TakenOutput<Output> = Output & Omit<ReplyOutput, "name" | "encoding">;

export interface WorkerTaskResult<Result, Output = WorkFile> {
  readonly outputs: TakenOutput<Output>[];
  readonly result: Result;
  readonly warnings?: readonly string[];
  /** The steps of the function that runs operations, in their order. */
  readonly steps: readonly { readonly ms: number; readonly output?: TakenOutput<Output> }[];
}

/**
 * Runs a function in a sandboxed worker and takes its outputs out, in order; `callInWorker` with types.
 * Throws `JobError`, or `EngineError` with `aborted` if `signal` stopped it.
 */
export async function runWorkerTask<Result, Output>(
  task: WorkerTask<Result, Output>,
): Promise<WorkerTaskResult<Result, Output>> {
  const { module, index, files, options, limits, signal, onProgress } = task;
  const { timeoutMs = defaultTimeoutMs } = task;
  try {
    return await currentPool().run(async (worker) => {
      if (signal.aborted) throw new EngineError({ engine: "image", aborted: true });
      for (const file of files) {
        if ("content" in file) worker.slot.writeIn(file, file.content);
        else await worker.slot.linkIn(file);
      }
      const names = files.map(slotInputName);
      const threads = threadsPerWorker();
      const message: WorkerMessage = { module, index, files: names, options, limits, threads };
      const settings = { timeoutMs, signal, ...(onProgress ? { onProgress } : {}) };
      const reply = await timeStep("worker", () => worker.request(message, settings));
      if (reply.error) throw toJobError(reply.error);
      const { outputs, result, warnings, steps = [] } = parseReply(replySchema, reply.result);
      const takeOutput = async ({ name, ...properties }: ReplyOutput) => ({
        ...properties,
        ...(await task.takeOutput(worker.slot, `out/${name}`)),
      });
      return {
        outputs: await mapInOrder(outputs, takeOutput),
        result: parseResult(task.resultSchema, result),
        ...(warnings ? { warnings } : {}),
        steps: await mapInOrder(steps, async ({ ms, output }) =>
          output ? { ms, output: await takeOutput(output) } : { ms },
        ),
      };
    }, keepsWorkerHealthy);
  } catch (error) {
    throw translateEngineError(error);
  }
}

/** Whether the error is about the file, or the task was aborted before it started. */
function keepsWorkerHealthy(error: unknown): boolean {
  return error instanceof JobError ? error.fault === "caller" : isAborted(error);
}

const isAborted = (error: unknown) => error instanceof EngineError && error.aborted;

function parseReply<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new EngineError({ engine: "image", invalidReply: true, cause: parsed.error });
}

function parseResult<Result>(schema: z.ZodType<Result> | undefined, value: unknown): Result {
  // Without a schema, `workerFunction` has no result either.
  return parseReply(schema ?? (z.undefined() as unknown as z.ZodType<Result>), value);
}

/** One after the other: a result may have thousands of files. */
async function mapInOrder<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item) => Promise<Mapped>,
): Promise<Mapped[]> {
  const mapped: Mapped[] = [];
  for (const item of items) mapped.push(await map(item));
  return mapped;
}

function toJobError({ code, message, detail }: NonNullable<JsonLinesReply["error"]>): JobError {
  const cause = detail === undefined ? undefined : new Error(detail.slice(0, 4000));
  const isKnown = Object.hasOwn(jobErrorFault, code) && code !== "internal";
  if (!isKnown) return new JobError("internal", internalMessage, { cause });
  // `hasOwn` has checked the code.
  return new JobError(code as JobErrorCode, message.slice(0, 500), { cause });
}
