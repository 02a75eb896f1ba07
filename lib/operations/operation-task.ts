import { renameSync } from "node:fs";
import { join } from "node:path";
import { openImage } from "#lib/engines/image/open.ts";
import { copySource } from "#lib/engines/image/save.ts";
import { type WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import {
  type ChainResult,
  type InputFile,
  type OperationResult,
  type OutputFile,
  type RanStep,
  type RunnableOperation,
  withMainInput,
} from "#lib/engines/worker/operation.ts";
import { outputName } from "#lib/engines/worker/output-name.ts";
import { openOwnFile, openSlotFile, workerFolder } from "#lib/engines/worker/slot-files.ts";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { copyToNew, statRegular } from "#lib/files/regular-files.ts";
import { type MediaTypeId, mediaType, mediaTypeOfExtension } from "#lib/media/types.ts";
import { noNetwork } from "#lib/net/no-network.ts";

/** The function of a worker that runs an operation, or several of a chain. */

/** An input file in a request. `name` is its `slotInputName`. */
export interface SerializedFile {
  readonly name: string;
  readonly type: MediaTypeId;
  readonly bytes: number;
  readonly filename: string;
  readonly url?: string;
  readonly encoding?: WorkFile["encoding"];
}

export interface SerializedOperation {
  readonly id: string;
  readonly params: Record<string, unknown>;
  readonly files: Readonly<Record<string, SerializedFile>>;
  /** What messages of its errors call it, such as `Operation 2, image/crop`; absent outside of a chain. */
  readonly label?: string;
  /** Whether another operation of the chain reads the output. */
  readonly isIntermediate: boolean;
}

export interface OperationTask {
  readonly inputs: readonly SerializedFile[];
  /** The first one reads `inputs`, each other one the first output of the one before it. */
  readonly operations: readonly SerializedOperation[];
  /** Whether the outputs that later operations read are in the result too, encoded. */
  readonly keepsOutputs?: boolean;
}

/** The result of the last operation, with the warnings of all. */
export async function runOperations({
  options: { inputs: requested, operations, keepsOutputs = false },
  work: { limits },
  progress,
}: WorkerCall<OperationTask>): Promise<ChainResult> {
  let inputs = requested.map(deserializeFile);
  let last: OperationResult = { outputs: [] };
  const warnings: string[] = [];
  const steps: RanStep[] = [];
  let work: WorkFolder | undefined;
  for (const [index, operation] of operations.entries()) {
    const [previous] = last.outputs;
    if (previous) {
      const input = await outputAsInput(previous, inputs[0]?.filename ?? "", index);
      inputs = [input];
      const ran = steps.pop();
      if (ran) steps.push(keepsOutputs ? { ...ran, output: await keep(previous, input) } : ran);
    }
    const { isIntermediate } = operation;
    work = WorkFolder.create(workerFolder, {
      limits,
      network: noNetwork,
      isIntermediate,
      after: work,
    });
    const report = (percent: number) => progress((100 * index + percent) / operations.length);
    const startedAt = performance.now();
    last = await runOperation(operation, inputs, work, report);
    steps.push({ ms: performance.now() - startedAt });
    warnings.push(...(last.warnings ?? []), ...work.takeWarnings());
  }
  return { ...last, ...(warnings.length > 0 ? { warnings } : {}), steps };
}

/** A copy of what the next operation reads. Pixels that are not encoded yet are encoded as at the end of a chain. */
async function keep(output: OutputFile, input: InputFile): Promise<OutputFile> {
  const { encoding: _, ...properties } = output;
  const file = openOwnFile(`kept-${input.name}`);
  if (input.encoding) return { ...properties, ...(await copySource(await openImage(input), file)) };
  await copyToNew(input.path, file.path);
  return { ...properties, ...file };
}

async function runOperation(
  serialized: SerializedOperation,
  inputs: readonly InputFile[],
  work: WorkFolder,
  progress: (percent: number) => void,
): Promise<OperationResult> {
  const operation = await loadOperation(serialized);
  const files = Object.entries(serialized.files).map(
    ([part, file]) => [part, deserializeFile(file)] as const,
  );
  const context = {
    ...withMainInput(inputs),
    files: Object.fromEntries(files),
    params: serialized.params,
    work,
    // Never aborted: the pool kills this process to stop a job.
    signal: new AbortController().signal,
    progress,
  };
  const { label } = serialized;
  if (label === undefined) return operation.run(context);
  try {
    return await operation.run(context);
  } catch (error) {
    throw error instanceof JobError && error.fault === "caller" ? error.about(label) : error;
  }
}

/** Loads only the module of the operation. The whole catalogue would load all other engines too. */
async function loadOperation({ id }: SerializedOperation): Promise<RunnableOperation> {
  // An operation's id is the path of its folder.
  const module = join(import.meta.dirname, id, "index.ts");
  const exported: Record<string, unknown> = await import(module);
  const isRequested = (value: unknown): value is RunnableOperation =>
    typeof value === "object" && value !== null && "id" in value && value.id === id;
  const operation = Object.values(exported).find(isRequested);
  if (!operation) throw new Error(`${module} exports no operation ${id}`);
  return operation;
}

/** An output as the input of operation `index`, which allocates its own outputs from the first name. */
async function outputAsInput(
  output: OutputFile,
  previousName: string,
  index: number,
): Promise<InputFile> {
  const { path, extension, encoding } = output;
  const file = openOwnFile(`step-${index}.${extension}`);
  renameSync(path, file.path);
  const filename = outputName(previousName, output);
  const type = mediaTypeOfExtension(extension);
  const { size: bytes } = await statRegular(file.path);
  return { ...file, type, bytes, filename, ...(encoding ? { encoding } : {}) };
}

function deserializeFile({ name, type, ...rest }: SerializedFile): InputFile {
  return { ...rest, ...openSlotFile(name), type: mediaType(type) };
}
