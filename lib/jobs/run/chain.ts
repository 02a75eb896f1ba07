import { rename, stat } from "node:fs/promises";
import type { JobSource } from "#lib/db/schema/jobs.ts";
import { JobError } from "#lib/errors.ts";
import {
  describeTypes,
  type MediaType,
  mediaType,
  mediaTypeOfExtension,
} from "#lib/media/types.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import {
  acceptsType,
  type InputFile,
  type Operation,
  type OperationContext,
  type OperationResult,
  type OutputFile,
} from "#lib/operations/define.ts";
import { executeOperation } from "#lib/operations/execute.ts";
import { outputName } from "./outputs.ts";

/** The value of a job's `operation` if it is a chain of operations. */
export const chainName = "chain";

/** One operation of a job, with its validated parameters. */
export interface JobStep {
  readonly operation: Operation;
  readonly params: Record<string, unknown>;
  /** Prefix of the names of its file parts. Empty for a job of one operation. */
  readonly prefix: string;
}

/** Name of a file part of the chain's operation `index`, as jobs store it. */
export function chainPart(index: number, part: string): string {
  return `${chainPrefix(index)}${part}`;
}

function chainPrefix(index: number): string {
  return `operations-${index}-`;
}

/** The operations of a job, in order. Throws if the catalogue no longer has one of them. */
export function stepsOf(job: {
  readonly operation: string;
  readonly params: Record<string, unknown>;
  readonly parts: Record<string, JobSource>;
}): [JobStep, ...JobStep[]] {
  const requested =
    job.operation === chainName
      ? // Written by this service when the chain was accepted.
        (job.params.operations as { type: string; params: Record<string, unknown> }[])
      : [{ type: job.operation, params: job.params }];
  const [first, ...rest] = requested.map(({ type, params }, index) => {
    const operation = findOperation(type);
    if (!operation) throw new Error(`there is no operation ${type}`);
    return { operation, params, prefix: job.operation === chainName ? chainPrefix(index) : "" };
  });
  if (!first) throw new Error("a chain without operations");
  return [first, ...rest];
}

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
  for (const [index, { operation, params, prefix }] of steps.entries()) {
    const [previous] = last.outputs;
    if (previous) input = await outputAsInput(previous, input, context);
    const stepFiles = Object.entries(context.files)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, file]) => [name.slice(prefix.length), file] as const);
    const next = steps[index + 1]?.operation;
    const isIntermediate = operation.chainsPixels === true && next?.chainsPixels !== undefined;
    const stepContext = {
      ...context,
      ...{ input, inputs: [input] },
      files: Object.fromEntries(stepFiles),
      params,
      progress: (percent: number) => context.progress((100 * index + percent) / steps.length),
    };
    last = await executeOperation(operation, stepContext, { isIntermediate });
  }
  return last;
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
