import { rename, stat } from "node:fs/promises";
import { outputName } from "#lib/engines/worker/output-name.ts";
import { JobError } from "#lib/errors.ts";
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
import { executeInWorker, executeOperation, handsOverPixels } from "#lib/operations/execute.ts";
import type { JobStep } from "../steps.ts";

/**
 * Runs the operations of a job, each on the first output of the previous one. An operation that does
 * not take exactly one file is the only one of its job.
 */
export async function executeSteps(
  steps: readonly JobStep[],
  context: Omit<OperationContext<unknown>, "params">,
): Promise<OperationResult> {
  const [first] = steps;
  if (first && first.operation.inputs.max !== 1)
    return executeOperation(first.operation, { ...context, params: first.params });
  requireCompatibleSteps(steps, context.input.type);
  let input = context.input;
  let last: OperationResult = { outputs: [] };
  const warnings: string[] = [];
  let done = 0;
  for (const group of groupByTask(steps)) {
    const [previous] = last.outputs;
    if (previous) input = await outputAsInput(previous, input, context);
    const before = done;
    const progress = (percent: number) =>
      context.progress((100 * before + percent * group.length) / steps.length);
    last = await executeGroup(group, { ...context, input, inputs: [input], progress });
    warnings.push(...(last.warnings ?? []));
    done += group.length;
  }
  return { ...last, warnings };
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

function executeGroup(
  group: readonly JobStep[],
  context: Omit<OperationContext<unknown>, "params">,
): Promise<OperationResult> {
  const groupSteps = group.map(({ operation, params, prefix }) => {
    const files = Object.entries(context.files)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, file]) => [name.slice(prefix.length), file] as const);
    return { operation, params, files: Object.fromEntries(files) };
  });
  const [only] = groupSteps;
  if (only && groupSteps.length === 1)
    return executeOperation(only.operation, { ...context, ...only });
  return executeInWorker(groupSteps, context);
}

/**
 * Throws `unsupported_type` if an operation does not accept what the previous one makes of `type`. For
 * a URL, the type is known only now.
 */
function requireCompatibleSteps(steps: readonly JobStep[], { id }: MediaType): void {
  let type = id;
  for (const [index, { operation, params }] of steps.entries()) {
    if (!acceptsType(operation, type)) {
      const accepted = describeTypes(operation.accepts);
      const message = `Operation ${index + 1}, ${operation.id}: the input must be ${accepted}. It is ${mediaType(type).label}.`;
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
  const { size } = await stat(file.path);
  const type = mediaTypeOfExtension(output.extension);
  const { encoding } = output;
  const filename = outputName(previous.filename, output);
  return { ...file, type, bytes: size, filename, ...(encoding ? { encoding } : {}) };
}
