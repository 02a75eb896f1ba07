import { rename } from "node:fs/promises";
import type { JobStepRun } from "#lib/db/schema/jobs.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import type { ChainResult, RanStep } from "#lib/engines/worker/operation.ts";
import { outputName } from "#lib/engines/worker/output-name.ts";
import { JobError } from "#lib/errors.ts";
import { statRegular } from "#lib/files/regular-files.ts";
import {
  describeTypes,
  type MediaType,
  mediaType,
  mediaTypeOfExtension,
} from "#lib/media/types.ts";
import {
  acceptsType,
  type InputFile,
  type Operation,
  type OperationContext,
  type OperationResult,
  type OutputFile,
} from "#lib/operations/define.ts";
import {
  executeInWorker,
  executeOperation,
  handsOverPixels,
  type KeptSteps,
} from "#lib/operations/execute.ts";
import { withSpan } from "#lib/tracing/spans.ts";
import type { JobStep } from "../job-steps.ts";

/** The operations of a chain that were completed before one failed, by the error of the latter. */
const completedSteps = new WeakMap<object, readonly JobStepRun[]>();

/** The operations of a chain that were completed before `error` was thrown; undefined if it is not known. */
export function stepsBefore(error: unknown): readonly JobStepRun[] | undefined {
  return typeof error === "object" && error ? completedSteps.get(error) : undefined;
}

/**
 * Runs the operations of a job, each on the first output of the previous one. An operation that does
 * not take exactly one file is the only one of its job. `keepsOutputs`: what each operation handed to the next one is
 * in the result, in files of the work folder.
 */
export async function executeSteps(
  steps: readonly JobStep[],
  context: ChainContext,
  { keepsOutputs = false }: KeptSteps = {},
): Promise<ChainResult> {
  const [first] = steps;
  if (first && first.operation.inputs.max !== 1)
    return executeGroup([first], context, { labels: [] });
  requireCompatibleSteps(steps, context.input.type);
  let input = context.input;
  let last: OperationResult = { outputs: [] };
  const warnings: string[] = [];
  const ran: RanStep[] = [];
  for (const group of groupByTask(steps)) {
    const [previous] = last.outputs;
    if (previous) {
      input = await outputAsInput(previous, input, context);
      const { ms = 0 } = ran.pop() ?? {};
      // The file stays where the next operation reads it.
      ran.push(keepsOutputs ? { ms, output: { ...previous, ...fileOf(input) } } : { ms });
    }
    const done = ran.length;
    const progress = (percent: number) =>
      context.progress((100 * done + percent * group.length) / steps.length);
    // Most operations report no progress, so the end of the previous one is that of its share.
    progress(0);
    const groupContext = { ...context, input, inputs: [input], progress };
    const labels = steps.length > 1 ? group.map((step, at) => labelOf(done + at, step)) : [];
    const execute = () => executeGroup(group, groupContext, { keepsOutputs, labels });
    const name = `step ${group.map(({ operation }) => operation.id).join(", ")}`;
    const result = await (steps.length > 1 ? withSpan(name, {}, execute) : execute()).catch(
      (error) => {
        rememberSteps(error, ran, labels);
        throw error;
      },
    );
    warnings.push(...(result.warnings ?? []));
    ran.push(...result.steps);
    last = result;
  }
  return { ...last, warnings, steps: ran };
}

/** `labels`: what messages call the operations that were given to the worker together. */
function rememberSteps(error: unknown, ran: readonly RanStep[], labels: readonly string[]): void {
  if (!(error instanceof Error) || labels.length === 0) return;
  const failed = labels.findIndex((label) => error.message.startsWith(`${label}:`));
  // Which one of several it was is known only if the message says so.
  if (failed === -1 && labels.length > 1) return;
  const before = Array.from({ length: Math.max(failed, 0) }, () => ({ ms: null }));
  completedSteps.set(error, [...ran.map(({ ms }) => ({ ms: Math.round(ms) })), ...before]);
}

type ChainContext = Omit<OperationContext<unknown>, "params">;

/** What messages call a step of a chain. `index` counts from 0. */
function labelOf(index: number, { operation }: JobStep): string {
  return `Operation ${index + 1}, ${operation.id}`;
}

function fileOf({ name, path, extension }: WorkFile): WorkFile {
  return { name, path, extension };
}

/** The steps, with those that hand over pixels in a group with the next one: they are one worker task. */
function groupByTask(steps: readonly JobStep[]): JobStep[][] {
  const groups: JobStep[][] = [];
  for (const step of steps) {
    const previous = groups.at(-1);
    const before = previous?.at(-1)?.operation;
    if (previous && before && isOneTask(before, step.operation)) previous.push(step);
    else groups.push([step]);
  }
  return groups;
}

function isOneTask(operation: Operation, next: Operation): boolean {
  const runInWorkers = operation.runsIn === "worker" && next.runsIn === "worker";
  return runInWorkers && handsOverPixels(operation, next);
}

async function executeGroup(
  group: readonly JobStep[],
  context: ChainContext,
  { labels, ...kept }: KeptSteps & { readonly labels: readonly string[] },
): Promise<ChainResult> {
  const groupSteps = group.map(({ operation, params, prefix }, index) => {
    const files = Object.entries(context.files)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, file]) => [name.slice(prefix.length), file] as const);
    const label = labels[index];
    const named = label === undefined ? {} : { label };
    return { operation, params, files: Object.fromEntries(files), ...named };
  });
  const [only] = groupSteps;
  if (!only || groupSteps.length > 1) return executeInWorker(groupSteps, context, kept);
  const { operation, label, ...own } = only;
  const startedAt = performance.now();
  try {
    const result = await executeOperation(operation, { ...context, ...own });
    return { ...result, steps: [{ ms: performance.now() - startedAt }] };
  } catch (error) {
    const isNamed = label !== undefined && error instanceof JobError && error.fault === "caller";
    throw isNamed ? error.about(label) : error;
  }
}

/**
 * Throws `unsupported_type` if an operation does not accept what the previous one makes of `type`. For
 * a URL, the type is known only now.
 */
function requireCompatibleSteps(steps: readonly JobStep[], { id }: MediaType): void {
  let type = id;
  for (const [index, step] of steps.entries()) {
    const { operation, params } = step;
    if (!acceptsType(operation, type)) {
      const accepted = describeTypes(operation.accepts);
      const message = `${labelOf(index, step)}: the input must be ${accepted}. It is ${mediaType(type).label}.`;
      throw new JobError("unsupported_type", message);
    }
    type = operation.produces(type, params);
  }
}

/** An output as the next operation's input, renamed within the work folder. */
async function outputAsInput(
  output: OutputFile,
  previous: InputFile,
  { work }: Pick<OperationContext<unknown>, "work">,
): Promise<InputFile> {
  const file = work.input(output.extension);
  await rename(output.path, file.path);
  const { size } = await statRegular(file.path);
  const type = mediaTypeOfExtension(output.extension);
  const { encoding } = output;
  const filename = outputName(previous.filename, output);
  return { ...file, type, bytes: size, filename, ...(encoding ? { encoding } : {}) };
}
