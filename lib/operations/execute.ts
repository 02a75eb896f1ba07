import { join } from "node:path";
import { translateEngineError } from "#lib/engines/sandbox/failures.ts";
import { slotFileName } from "#lib/engines/warm/slot-folder.ts";
import { operationResultSchema, runWorkerTask } from "#lib/engines/worker/pool.ts";
import type { SerializedFile, SerializedOperation } from "#lib/engines/worker/program.ts";
import type { InputFile, Operation, OperationContext, OperationResult } from "./define.ts";

/**
 * Runs an operation in the process that its `runsIn` names. Throws `JobError`, or `EngineError` with
 * `aborted` if the context's signal stopped it. All other errors are internal.
 */
export async function executeOperation(
  operation: Operation,
  context: OperationContext<Record<string, unknown>>,
): Promise<OperationResult> {
  if (operation.runsIn === "worker") return runInWorker(operation, context);
  try {
    return await operation.run(context);
  } catch (error) {
    throw translateEngineError(error);
  }
}

async function runInWorker(
  operation: Operation,
  { inputs, files, params, work, signal, progress }: OperationContext<Record<string, unknown>>,
): Promise<OperationResult> {
  const parts = Object.entries(files).map(([part, file]) => [part, serializeFile(file)] as const);
  const serialized: SerializedOperation = {
    id: operation.id,
    module: join(import.meta.dirname, operation.id, "index.ts"),
    params,
    inputs: inputs.map(serializeFile),
    files: Object.fromEntries(parts),
  };
  const { outputs, result } = await runWorkerTask({
    task: "operation",
    parameters: { ...serialized, limits: work.limits },
    inputs: [...inputs, ...Object.values(files)],
    allocateOutput: (extension) => work.output(extension),
    signal,
    resultSchema: operationResultSchema,
    timeoutMs: work.limits.imageSeconds * 1000,
    onProgress: progress,
  });
  return { outputs, ...(result ? { result } : {}) };
}

function serializeFile(file: InputFile): SerializedFile {
  const { type, bytes, filename, url } = file;
  return { name: slotFileName(file), type: type.id, bytes, filename, ...(url ? { url } : {}) };
}
