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
  type OperationContext,
  type OperationResult,
  type OutputFile,
} from "#lib/operations/define.ts";
import { executeOperation } from "#lib/operations/execute.ts";
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
    warnings.push(...(last.warnings ?? []));
  }
  return { ...last, warnings };
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
