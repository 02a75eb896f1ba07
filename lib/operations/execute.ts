import { join } from "node:path";
import { explainEngineFailure } from "#lib/engines/sandbox/failures.ts";
import { slotName } from "#lib/engines/warm/slot.ts";
import { runImageTask } from "#lib/engines/worker/pool.ts";
import type { SentFile, SentOperation } from "#lib/engines/worker/program.ts";
import type { InputFile, Operation, OperationContext, OperationResult } from "./define.ts";

/**
 * Runs an operation where its `engine` says. Throws `JobError`, or `EngineError` with `aborted` where
 * the context's signal stopped it; anything else is a fault of ours.
 */
export async function executeOperation(
  operation: Operation,
  context: OperationContext<Record<string, unknown>>,
): Promise<OperationResult> {
  if (operation.engine === "image") return runInImageWorker(operation, context);
  try {
    return await operation.run(context);
  } catch (error) {
    throw explainEngineFailure(error);
  }
}

function runInImageWorker(
  operation: Operation,
  { input, files, params, work, signal, progress }: OperationContext<Record<string, unknown>>,
): Promise<OperationResult> {
  const parts = Object.entries(files).map(([part, file]) => [part, toSent(file)] as const);
  const sent: SentOperation = {
    id: operation.id,
    module: join(import.meta.dirname, operation.id, "index.ts"),
    params,
    input: toSent(input),
    files: Object.fromEntries(parts),
  };
  return runImageTask({
    task: "operation",
    parameters: { ...sent, caps: work.limits },
    inputs: [input, ...Object.values(files)],
    mint: (extension) => work.output(extension),
    signal,
    timeoutMs: work.limits.imageSeconds * 1000,
    onProgress: progress,
  });
}

function toSent(file: InputFile): SentFile {
  const { type, bytes, filename, url } = file;
  return { name: slotName(file), type: type.id, bytes, filename, ...(url ? { url } : {}) };
}
