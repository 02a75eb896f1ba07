import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { FileInput, Job, Mediamill } from "../../../sdk/src/index.ts";
import { splitId } from "../catalogue/operation.ts";
import { describeFailure, type Failure } from "../errors.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { formatBytes, notify, printLine, reportError, style, warn } from "../terminal/print.ts";
import { ProgressBars } from "../terminal/progress.ts";
import { createJob } from "./create-job.ts";
import { type DoneFiles, inputStates } from "./done-files.ts";
import { exportedPaths } from "./export-target.ts";
import type { FailedFiles } from "./failed-files.ts";
import { type Interruption, readPipe } from "./interruption.ts";
import type { Task } from "./plan.ts";
import type { RunRequest } from "./request.ts";
import { saveOutputs } from "./save.ts";
import type { Source } from "./sources.ts";
import { readStdin } from "./stdin.ts";

export interface RunContext {
  readonly client: Mediamill;
  readonly request: RunRequest;
  readonly interruption: Interruption;
  readonly done: DoneFiles;
  readonly failures: FailedFiles;
  /** Complete paths that are never written. */
  readonly inputs: ReadonlySet<string>;
  /** The inputs of the files that this call has written, by their complete paths. */
  readonly written: Map<string, string>;
  readonly concurrency: number;
  /** The timeout of each job in milliseconds. */
  readonly timeout: number | undefined;
  readonly isJson: boolean;
  readonly printsUrls: boolean;
  readonly isQuiet: boolean;
}

/** With progress, a file is uploaded on its own, which takes two more requests. */
const progressBytes = 2_000_000;

/** Runs the tasks, some at the same time. Returns the exit code; failures are reported as they happen. */
export async function runTasks(context: RunContext, tasks: readonly Task[]): Promise<ExitCode> {
  const bars = new ProgressBars(tasks.length, !context.isQuiet);
  const failures: Failure[] = [];
  const queue = tasks.values();
  const work = async () => {
    for (const task of queue) {
      if (context.interruption.isStopping) return;
      const failure = await runTask(context, task, bars);
      if (failure) failures.push(failure);
    }
  };
  await Promise.all(Array.from({ length: Math.min(context.concurrency, tasks.length) }, work));
  // The program ends itself when the jobs are cancelled.
  if (context.interruption.isStopping) await new Promise(() => {});
  if (tasks.length > 1) {
    const done = tasks.length - failures.length;
    notify(
      `${done} of ${tasks.length} files done${failures.length > 0 ? `, ${failures.length} failed` : ""}.`,
    );
  }
  const codes = new Set(failures.map(({ exitCode }) => exitCode));
  const [code = exitCodes.ok] = codes;
  return codes.size > 1 ? exitCodes.failed : code;
}

async function runTask(
  context: RunContext,
  task: Task,
  bars: ProgressBars,
): Promise<Failure | undefined> {
  const startedAt = Date.now();
  const bar = bars.start(task.label);
  const states = await inputStates(task, context.request);
  try {
    const job = await runJob(context, task, bars.isShown, (phase, percent) => {
      bar.phase = phase;
      bar.percent = percent;
    });
    bar.phase = "download";
    const sent = exportedPaths(job, context.request.fields);
    const saved = sent || context.printsUrls ? [] : await save(context, task, job);
    const paths = sent ?? saved;
    await context.done.add(task, states, saved).catch((error: unknown) => {
      // The output is there all the same.
      warn(`--stale-only will not know that this is done: ${describeFailure(error).message}`);
    });
    bars.end(bar);
    bars.clear();
    report(context, task, job, paths, Date.now() - startedAt);
    return undefined;
  } catch (error) {
    bars.end(bar);
    if (context.interruption.isStopping) return undefined;
    bars.clear();
    const failure = describeFailure(nameFlags(error, context.request));
    context.failures.add(task, states, failure);
    const { exitCode: _exitCode, message, code, jobId, requestId } = failure;
    const ids = { ...(jobId ? { job: jobId } : {}), ...(requestId ? { request: requestId } : {}) };
    if (context.isJson) {
      printLine(
        JSON.stringify({
          input: task.label,
          status: "failed",
          error: message,
          error_code: code,
          ...ids,
        }),
      );
    }
    const where = Object.values(ids).join(", ");
    reportError(`${task.label}: ${message}${where ? ` (${where})` : ""}`);
    return failure;
  }
}

async function runJob(
  { client, request, interruption, timeout }: RunContext,
  task: Task,
  isShown: boolean,
  onPercent: (phase: string, percent: number) => void,
): Promise<Job> {
  const inputs = await Promise.all(task.sources.map(toInput));
  const onProgress = isShown
    ? ({ phase, percent }: { phase: string; percent: number }) => onPercent(phase, percent)
    : undefined;
  const isLarge = isShown && (await sizeOf(task)) > progressBytes;
  const created = await interruption.track(
    createJob(client, request, inputs, isLarge ? { onProgress } : {}),
  );
  try {
    return created.isFinal && created.status === "completed"
      ? created
      : await client.jobs.wait(created, { onProgress, timeout });
  } finally {
    if (!interruption.isStopping) interruption.forget(created.id);
  }
}

async function toInput(source: Source): Promise<FileInput> {
  if (source.kind === "url") return source.url;
  if (source.kind === "stdin") return { file: await readStdin(), filename: "stdin" };
  const { path } = source;
  // A pipe, such as that of `<(command)` in a shell, can be read once.
  if (!(await stat(path)).isFile()) return { file: await readPipe(path), filename: basename(path) };
  return /^(?:https?:|upload_|conn_)/i.test(path) ? `./${path}` : path;
}

async function sizeOf({ sources }: Task): Promise<number> {
  const sizes = sources.map(async (source) =>
    source.kind === "file" ? (await stat(source.path)).size : 0,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function save(
  { request, inputs, written, isJson }: RunContext,
  task: Task,
  job: Job,
): Promise<string[]> {
  const [, suffix] = splitId(request.steps.at(-1)?.operation.id ?? "");
  return saveOutputs(task, job, { suffix, inputs, written, isJson });
}

function report(
  { isJson, printsUrls }: RunContext,
  task: Task,
  job: Job,
  paths: readonly string[],
  ms: number,
): void {
  for (const warning of job.warnings) warn(`${task.label}: ${warning}`);
  if (isJson) {
    const { id, status, operation, result } = job.data;
    const outputs = job.data.outputs.map((output, index) => ({
      ...output,
      ...(paths[index] ? { path: paths[index] } : {}),
    }));
    printLine(JSON.stringify({ input: task.label, job: id, status, operation, outputs, result }));
  } else if (printsUrls) for (const { url } of job.outputs) printLine(url);
  else for (const path of paths) printLine(path);
  const bytes = job.outputs.reduce((sum, output) => sum + output.bytes, 0);
  const size = bytes > 0 ? `, ${formatBytes(bytes)}` : "";
  notify(`${style("green", "✓")} ${task.label} (${(ms / 1000).toFixed(1)} s${size})`);
}

/** The error of the service with the flags in the place of its parameters. */
function nameFlags(error: unknown, { steps }: RunRequest): unknown {
  if (!(error instanceof Error)) return error;
  const properties = Object.assign(
    {},
    ...steps.map(({ operation }) => operation.parameters.properties),
  );
  const named = error.message.replaceAll(/`(\w+)`/g, (all, name: string) => {
    if (Object.hasOwn(properties, name))
      return `--${name.replace(/_url$/, "").replaceAll("_", "-")}`;
    return all;
  });
  error.message = named;
  return error;
}
