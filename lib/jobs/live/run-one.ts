import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { withMainInput } from "#lib/engines/worker/operation.ts";
import { JobError } from "#lib/errors.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import type { InputFile, OperationResult, OutputFile } from "#lib/operations/define.ts";
import { executeOperation } from "#lib/operations/execute.ts";

export interface RanOperation {
  readonly output: OutputFile;
  readonly result: OperationResult["result"];
}

/**
 * Runs an operation of the catalogue on a file, as a job would: in the sandbox, with the limits of the work folder.
 * Returns its first output. `params` as in a request.
 */
export async function runOne(
  id: string,
  params: Readonly<Record<string, unknown>>,
  input: InputFile | undefined,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<RanOperation> {
  const operation = findOperation(id);
  if (!operation) throw new Error(`there is no operation ${id}`);
  const { outputs, result } = await executeOperation(operation, {
    ...withMainInput(input ? [input] : []),
    files: {},
    params: operation.params.parse(params),
    work,
    signal,
    progress: () => {},
  });
  const [output] = outputs;
  if (!output) throw new JobError("empty", "The operation has no output for this file.");
  return { output, result };
}
