import { join } from "node:path";
import { importFile } from "#lib/engines/import/import-file.ts";
import { translateEngineError } from "#lib/engines/sandbox/failures.ts";
import { slotFileName } from "#lib/engines/warm/slot-folder.ts";
import { withMainInput } from "#lib/engines/worker/operation.ts";
import { operationResultSchema, runWorkerTask } from "#lib/engines/worker/pool.ts";
import type { SerializedFile, SerializedOperation } from "#lib/engines/worker/program.ts";
import type { InputFile, Operation, OperationContext, OperationResult } from "./define.ts";

/**
 * Runs an operation in the process that its `runsIn` names. `isIntermediate`: its output is read by
 * another operation that `chainsPixels`. Throws `JobError`, or `EngineError` with
 * `aborted` if the context's signal stopped it. All other errors are internal.
 */
export async function executeOperation(
  operation: Operation,
  context: OperationContext<Record<string, unknown>>,
  { isIntermediate = false } = {},
): Promise<OperationResult> {
  try {
    const prepared = operation.keepsInput ? context : await importFiles(operation, context);
    if (operation.runsIn === "worker")
      return await runInWorker(operation, prepared, isIntermediate);
    return await operation.run(prepared);
  } catch (error) {
    throw translateEngineError(error);
  }
}

/** The context with files of all types converted to types that operations can write. */
async function importFiles(
  operation: Operation,
  context: OperationContext<Record<string, unknown>>,
): Promise<OperationContext<Record<string, unknown>>> {
  const { params, work, signal } = context;
  const raw = params.raw === "develop" ? "develop" : "preview";
  const options = { raw, size: operation.drawingSize?.(params) ?? {} } as const;
  const inputs: InputFile[] = [];
  for (const input of context.inputs) inputs.push(await importFile(input, options, work, signal));
  const files: Record<string, InputFile> = {};
  for (const [part, file] of Object.entries(context.files)) {
    files[part] = await importFile(file, { raw, size: {} }, work, signal);
  }
  return { ...context, ...withMainInput(inputs), files };
}

async function runInWorker(
  operation: Operation,
  { inputs, files, params, work, signal, progress }: OperationContext<Record<string, unknown>>,
  isIntermediate: boolean,
): Promise<OperationResult> {
  const parts = Object.entries(files).map(([part, file]) => [part, serializeFile(file)] as const);
  const serialized: SerializedOperation = {
    id: operation.id,
    module: join(import.meta.dirname, operation.id, "index.ts"),
    params,
    inputs: inputs.map(serializeFile),
    files: Object.fromEntries(parts),
    isIntermediate,
  };
  const { outputs, result, warnings } = await runWorkerTask({
    task: "operation",
    parameters: { ...serialized, limits: work.limits },
    inputs: [...inputs, ...Object.values(files)],
    allocateOutput: (extension) => work.output(extension),
    signal,
    resultSchema: operationResultSchema,
    timeoutMs: work.limits.imageSeconds * 1000,
    onProgress: progress,
  });
  return { outputs, ...(result ? { result } : {}), ...(warnings ? { warnings } : {}) };
}

function serializeFile(file: InputFile): SerializedFile {
  const { type, bytes, filename, url, encoding } = file;
  return {
    name: slotFileName(file),
    type: type.id,
    bytes,
    filename,
    ...(url ? { url } : {}),
    ...(encoding ? { encoding } : {}),
  };
}
