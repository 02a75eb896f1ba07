import { resolve } from "node:path";
import type { CatalogueOperation, Parameter } from "../catalogue/operation.ts";
import { UsageError } from "../errors.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { curlCommand } from "../run/curl.ts";
import { DoneFiles } from "../run/done-files.ts";
import { type ExportFlags, exportFields } from "../run/export-target.ts";
import { FailedFiles } from "../run/failed-files.ts";
import { Interruption } from "../run/interruption.ts";
import { pathsOf, planTasks, type Task } from "../run/plan.ts";
import { buildStep, type RequestStep, type RunRequest } from "../run/request.ts";
import { type RunContext, runTasks } from "../run/run-tasks.ts";
import { areEmpty, expandInputs, withoutOutputs } from "../run/sources.ts";
import { createClient } from "../settings/client.ts";
import type { Settings } from "../settings/settings.ts";
import { notify, printLine } from "../terminal/print.ts";

export interface RunFlags extends ExportFlags {
  /** The folder of the outputs. Inputs may be folders, too. */
  readonly out?: string;
  readonly recursive?: boolean;
  readonly concurrency?: number;
  readonly json?: boolean;
  readonly dryRun?: boolean;
  readonly printUrls?: boolean;
  readonly staleOnly?: boolean;
  readonly watch?: boolean;
  readonly cancelOnExit?: boolean;
  readonly timeout?: number;
  readonly webhookUrl?: string;
  readonly metadata?: Record<string, string>;
}

const defaultConcurrency = 4;

/**
 * The number of retries, which take about 15 seconds: a restart of the service fails no file of
 * many.
 */
const maxRetries = 5;

/** An operation, and the flags of its parameters. */
export interface RunStep {
  readonly operation: CatalogueOperation;
  readonly parameters: readonly Parameter[];
  readonly values: ReadonlyMap<string, unknown>;
}

/** What a command runs: an operation, or a chain of them. */
export interface RunTarget extends Pick<CatalogueOperation, "id" | "inputs"> {
  readonly steps: readonly RunStep[];
}

/** Runs an operation or a chain on the inputs that the words name. */
export async function runOperation(
  settings: Settings,
  { id, inputs, steps }: RunTarget,
  words: readonly string[],
  given: RunFlags,
): Promise<ExitCode> {
  const flags = readOut(given);
  if (flags.json && flags.output === "-") {
    throw new UsageError("--json and -o - both write to stdout. Leave one of them out.");
  }
  const request = {
    id,
    inputs,
    steps: await buildSteps(settings, steps),
    fields: commonFields(flags),
  };
  const plan = async () => {
    const sources = await expandInputs(words, flags.recursive ?? false);
    return planTasks(request, withoutOutputs(sources, words, flags.output), flags);
  };
  const isWatched = flags.watch === true && !flags.dryRun;
  const tasks = isWatched && (await areEmpty(words)) ? [] : await plan();
  if (flags.dryRun) {
    for (const task of tasks) printLine(curlCommand(settings.baseUrl, request, task));
    return exitCodes.ok;
  }
  const failures = new FailedFiles();
  const context = await createContext(settings, request, tasks, flags, failures);
  const code = await runTasks(context, await selectTasks(context, tasks, flags));
  if (!flags.watch) return code;
  const { watchInputs } = await import("../run/watch.ts");
  notify("Watching the inputs. End with Ctrl-C.");
  await watchInputs(words, flags.recursive ?? false, async () => {
    const next = await plan().catch((error: unknown) => {
      // The last file of a pattern may be gone for a while.
      if (error instanceof UsageError) return [];
      throw error;
    });
    const inputs = new Set(next.flatMap(({ sources }) => pathsOf(sources)));
    const done = await openDone(settings, request, flags);
    const stale = await failures.withoutUnchanged(await staleTasks(done, next), request);
    await runTasks({ ...context, inputs, done }, stale);
  });
  return exitCodes.ok;
}

/** The flags with `--out` as the ones that it stands for. */
function readOut(flags: RunFlags): RunFlags {
  const { out, output } = flags;
  if (out === undefined) return flags;
  if (output !== undefined)
    throw new UsageError("--out and -o both name the output. Leave one out.");
  return { ...flags, output: out.endsWith("/") ? out : `${out}/`, recursive: true };
}

/** The parameters of each operation. The flags come before the defaults of the project's file. */
async function buildSteps(
  { project }: Settings,
  steps: readonly RunStep[],
): Promise<readonly RequestStep[]> {
  const built = steps.map(({ operation, parameters, values }) => {
    const defaults = Object.entries(project.defaults?.[operation.id] ?? {});
    return buildStep(operation, parameters, new Map([...defaults, ...values]));
  });
  return Promise.all(built);
}

function commonFields(flags: RunFlags): Record<string, unknown> {
  const { webhookUrl, metadata } = flags;
  return {
    ...exportFields(flags),
    ...(webhookUrl ? { webhook_url: webhookUrl } : {}),
    ...(metadata ? { metadata } : {}),
  };
}

async function createContext(
  settings: Settings,
  request: RunRequest,
  tasks: readonly Task[],
  flags: RunFlags,
  failures: FailedFiles,
): Promise<RunContext> {
  const client = createClient(settings, { maxRetries });
  const { json = false, printUrls = false, timeout } = flags;
  const { concurrency = settings.project.concurrency ?? defaultConcurrency } = flags;
  return {
    client,
    request,
    interruption: new Interruption(client, flags.cancelOnExit ?? false),
    done: await openDone(settings, request, flags),
    failures,
    inputs: new Set(tasks.flatMap(({ sources }) => pathsOf(sources))),
    written: new Map(),
    concurrency,
    timeout: timeout === undefined ? undefined : timeout * 1000,
    isJson: json,
    printsUrls: printUrls,
    isQuiet: settings.quiet || json,
  };
}

function openDone(
  { baseUrl }: Settings,
  { id, steps, fields }: RunRequest,
  { output }: RunFlags,
): Promise<DoneFiles> {
  const folder = resolve(output ?? ".");
  const parameters = steps.map(({ operation, fields, files }) => [operation.id, fields, files]);
  return DoneFiles.open([baseUrl, id, parameters, fields, folder]);
}

async function selectTasks(
  { done }: RunContext,
  tasks: readonly Task[],
  { staleOnly }: RunFlags,
): Promise<readonly Task[]> {
  if (!staleOnly) return tasks;
  const stale = await staleTasks(done, tasks);
  const skipped = tasks.length - stale.length;
  if (skipped > 0) notify(`${skipped} of ${tasks.length} files are up to date.`);
  return stale;
}

async function staleTasks(done: DoneFiles, tasks: readonly Task[]): Promise<Task[]> {
  const isDone = await Promise.all(tasks.map((task) => done.isDone(task)));
  return tasks.filter((_task, index) => !isDone[index]);
}
