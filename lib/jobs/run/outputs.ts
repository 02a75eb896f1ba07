import type { JobOutput, JobRow, JobStepRun } from "#lib/db/schema/jobs.ts";
import type { RanStep } from "#lib/engines/worker/operation.ts";
import { outputName } from "#lib/engines/worker/output-name.ts";
import { statRegular } from "#lib/files/regular-files.ts";
import { type FileLimits, limitError } from "#lib/limits/limits.ts";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import type { InputFile, OutputFile } from "#lib/operations/define.ts";
import { storage } from "#lib/storage/index.ts";
import { requestedSteps } from "../steps.ts";
import { attemptFolder, earlierAttemptFolders, outputFolder } from "../storage-keys.ts";
import { distinctName } from "./distinct-name.ts";

/**
 * Stores the outputs of a job's attempt, named after `input` if there is one. Throws `JobError("too_large")` for a file
 * above the limit.
 */
export async function storeOutputs(
  job: JobRow,
  input: InputFile | undefined,
  outputs: readonly OutputFile[],
  limits: FileLimits,
): Promise<JobOutput[]> {
  const stored: JobOutput[] = [];
  const lastOperation = requestedSteps(job).at(-1)?.type ?? job.operation;
  // What is exported is in a folder of its own, so that it can be removed after that.
  const folder = job.target ? "exported/" : "";
  for (const [index, output] of outputs.entries()) {
    stored.push(await storeOutput(job, `${folder}${index}`, input, output, lastOperation, limits));
  }
  return stored;
}

/**
 * Stores what the operations of a chain have handed over, if it is kept, and returns how long each has
 * taken. Throws `JobError("too_large")` for a file above the limit.
 */
export async function storeSteps(
  job: JobRow,
  input: InputFile | undefined,
  steps: readonly RanStep[],
  limits: FileLimits,
): Promise<JobStepRun[]> {
  const requested = requestedSteps(job);
  const stored: JobStepRun[] = [];
  for (const [index, { ms, output }] of steps.entries()) {
    const operation = requested[index]?.type ?? job.operation;
    stored.push({
      ms: Math.round(ms),
      ...(output && {
        output: await storeOutput(job, `step-${index}`, input, output, operation, limits),
      }),
    });
  }
  return stored;
}

/** Stores an output; `name` is that of the file in storage, `operation` the one that wrote it. */
async function storeOutput(
  job: JobRow,
  name: string,
  input: InputFile | undefined,
  output: OutputFile,
  operation: string,
  { resultBytes }: FileLimits,
): Promise<JobOutput> {
  const key = `${attemptFolder(outputFolder(job.id), job)}/${name}`;
  const { size } = await statRegular(output.path);
  if (size > resultBytes) throw limitError("resultBytes", resultBytes);
  await storage().putFile(key, output.path);
  const { width, height, duration, pages } = output;
  const named = outputName(input?.filename ?? baseName(job.operation), output);
  return {
    key,
    filename: distinctName(named, input?.filename, operation),
    contentType: mediaTypeOfExtension(output.extension).mime,
    bytes: size,
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(duration === undefined ? {} : { duration }),
    ...(pages === undefined ? {} : { pages }),
  };
}

/** The name of an operation without its group, which names the outputs if there is no input. */
function baseName(operation: string): string {
  return operation.split("/").at(-1) ?? operation;
}

/** Removes what the attempts before the successful one may have stored. */
export async function removeEarlierOutputs(job: JobRow): Promise<void> {
  for (const folder of earlierAttemptFolders(outputFolder(job.id), job)) {
    await storage().removeAll(folder);
  }
}
