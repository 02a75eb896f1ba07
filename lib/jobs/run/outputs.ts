import { stat } from "node:fs/promises";
import type { JobOutput, JobRow } from "#lib/db/schema/jobs.ts";
import { outputName } from "#lib/engines/worker/output-name.ts";
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
  { resultBytes }: FileLimits,
): Promise<JobOutput[]> {
  const stored: JobOutput[] = [];
  const lastOperation = requestedSteps(job).at(-1)?.type ?? job.operation;
  for (const [index, output] of outputs.entries()) {
    const key = `${attemptFolder(outputFolder(job.id), job)}/${index}`;
    const { size } = await stat(output.path);
    if (size > resultBytes) throw limitError("resultBytes", resultBytes);
    const known = output.sha256 ? { bytes: size, sha256: output.sha256 } : undefined;
    const { sha256 } = await storage().putFile(key, output.path, known);
    const { width, height, duration, pages } = output;
    stored.push({
      key,
      filename: distinctName(
        outputName(input?.filename ?? baseName(job.operation), output),
        input?.filename,
        lastOperation,
      ),
      contentType: mediaTypeOfExtension(output.extension).mime,
      bytes: size,
      sha256,
      ...(width === undefined ? {} : { width }),
      ...(height === undefined ? {} : { height }),
      ...(duration === undefined ? {} : { duration }),
      ...(pages === undefined ? {} : { pages }),
    });
  }
  return stored;
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
