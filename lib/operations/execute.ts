import { importFile } from "#lib/engines/import/import-file.ts";
import { changeJpeg } from "#lib/engines/jpegtran/jpegtran.ts";
import { translateEngineError } from "#lib/engines/sandbox/failures/failures.ts";
import { requireSandbox } from "#lib/engines/sandbox/require-sandbox.ts";
import { slotInputName } from "#lib/engines/warm/slot-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { type ChainResult, withMainInput } from "#lib/engines/worker/operation.ts";
import { JobError } from "#lib/errors.ts";
import type {
  InputFile,
  Operation,
  OperationContext,
  OperationResult,
  OutputFile,
} from "./define.ts";
import { warnOfDroppedFrames } from "./dropped-frames.ts";
import { findChoiceFault } from "./file-choice.ts";
import type { SerializedFile, SerializedOperation } from "./operation-task.ts";
import { describeRestriction, needsSandbox } from "./sandbox-policy.ts";
import { runOperations } from "./worker-functions.ts";

type Context = OperationContext<Record<string, unknown>>;

/**
 * Runs an operation in the process that its `runsIn` names. Throws `JobError`, or `EngineError` with
 * `aborted` if the context's signal stopped it. All other errors are internal.
 */
export async function executeOperation(
  operation: Operation,
  context: Context,
): Promise<OperationResult> {
  requireProcessable(operation, context);
  await requireSandboxFor(operation, context);
  if (operation.runsIn === "worker") return executeInWorker([{ operation, ...context }], context);
  try {
    const prepared = operation.keepsInput ? context : await importFiles(operation, context);
    const result = await operation.run(prepared);
    // What the engines have warned of comes after what the operation says itself.
    const warnings = [...(result.warnings ?? []), ...context.work.takeWarnings()];
    return warnings.length > 0 ? { ...result, warnings } : result;
  } catch (error) {
    throw translateEngineError(error);
  }
}

function requireProcessable(
  operation: Operation,
  { inputs, params, files }: Pick<Context, "inputs" | "params" | "files">,
): void {
  const fault = findChoiceFault(operation, params, files);
  if (fault) throw new JobError("empty", fault);
  for (const [index, { type }] of inputs.entries()) {
    const message = operation.rejects?.(type.id, params, index);
    if (message) throw new JobError("unsupported_type", message);
  }
}

/** Throws `internal` if a file needs a sandbox that does not work. */
async function requireSandboxFor(
  operation: Operation,
  { inputs, files }: Pick<Context, "inputs" | "files">,
): Promise<void> {
  const types = [...inputs, ...Object.values(files)].map(({ type }) => type.id);
  const type = types.find((one) => needsSandbox(operation, one));
  if (type) await requireSandbox(describeRestriction(operation, type));
}

/** An operation of a chain, with its own further files. */
export interface WorkerStep extends Pick<Context, "params" | "files"> {
  readonly operation: Operation;
  /** What messages of its errors call it; absent if no other operation could be meant. */
  readonly label?: string;
}

export interface KeptSteps {
  /** Whether the outputs that later operations read are in the result too. */
  readonly keepsOutputs?: boolean;
}

/** Whether the pixels of `operation`'s output are handed to `next` without being encoded. */
export function handsOverPixels(operation: Operation, next: Operation | undefined): boolean {
  return operation.chainsPixels === true && next?.chainsPixels !== undefined;
}

/**
 * Runs operations of a chain in one task of a worker, the first on the context's input and each other
 * one on the first output of the one before it, to which that `handsOverPixels`. Together they may take
 * as long as they may one by one. Throws as `executeOperation`.
 */
export async function executeInWorker(
  steps: readonly WorkerStep[],
  context: Omit<Context, "params" | "files">,
  { keepsOutputs = false }: KeptSteps = {},
): Promise<ChainResult> {
  try {
    const prepared: WorkerStep[] = [];
    let inputs = context.inputs;
    for (const [index, step] of steps.entries()) {
      // What an operation of the chain writes needs no conversion.
      const own = { ...context, ...step, ...(index > 0 ? { inputs: [] } : {}) };
      await requireSandboxFor(step.operation, own);
      const imported = step.operation.keepsInput ? own : await importFiles(step.operation, own);
      if (index === 0) inputs = imported.inputs;
      prepared.push({ ...step, files: imported.files });
    }
    return await runInWorker(prepared, { ...context, inputs }, keepsOutputs);
  } catch (error) {
    throw translateEngineError(error);
  }
}

/** The context with files of all types converted to types that operations can write. */
async function importFiles(operation: Operation, context: Context): Promise<Context> {
  const { params, work, signal } = context;
  const raw = params.raw === "develop" ? "develop" : "preview";
  const options = { raw, size: operation.drawingSize?.(params) ?? {} } as const;
  const inputs: InputFile[] = [];
  for (const input of context.inputs) {
    await warnOfDroppedFrames(operation, params, input, work);
    inputs.push(await importFile(input, options, work, signal));
  }
  const files: Record<string, InputFile> = {};
  for (const [part, file] of Object.entries(context.files)) {
    files[part] = await importFile(file, { raw, size: {} }, work, signal);
  }
  return { ...context, ...withMainInput(inputs), files };
}

async function runInWorker(
  steps: readonly WorkerStep[],
  { inputs, work, signal, progress }: Omit<Context, "params" | "files">,
  keepsOutputs: boolean,
): Promise<ChainResult> {
  const operations = steps.map(({ operation, label, ...step }, index): SerializedOperation => {
    const { params, files } = step;
    const parts = Object.entries(files).map(([part, file]) => [part, serializeFile(file)] as const);
    return {
      id: operation.id,
      ...(label === undefined ? {} : { label }),
      params,
      files: Object.fromEntries(parts),
      isIntermediate: index < steps.length - 1,
    };
  });
  const { result, ...ran } = await callInWorker(runOperations, {
    files: [...inputs, ...steps.flatMap(({ files }) => Object.values(files))],
    options: { inputs: inputs.map(serializeFile), operations, keepsOutputs },
    allocateOutput: (extension) => work.output(extension),
    work,
    signal,
    timeoutMs: work.limits.imageSeconds * 1000 * steps.length,
    onProgress: progress,
  });
  const outputs: OutputFile[] = [];
  for (const { jpegChange, ...output } of ran.outputs) {
    if (jpegChange) await changeJpeg(output, jpegChange, work, signal);
    outputs.push(output);
  }
  const warnings = [...(ran.warnings ?? []), ...work.takeWarnings()];
  return {
    ...ran,
    outputs,
    ...(result ? { result } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

function serializeFile(file: InputFile): SerializedFile {
  const { type, bytes, filename, url, encoding } = file;
  return {
    name: slotInputName(file),
    type: type.id,
    bytes,
    filename,
    ...(url ? { url } : {}),
    ...(encoding ? { encoding } : {}),
  };
}
