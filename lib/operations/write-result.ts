import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import type { OutputFile } from "#lib/engines/worker/operation.ts";
import { writeNew } from "#lib/files/regular-files.ts";

/** The outcome of an operation that returns data: the `result` of the job, and the same as a JSON file. */
export async function writeResult<Result extends object>(
  result: Result,
  work: WorkFolder,
): Promise<{ outputs: OutputFile[]; result: Result }> {
  const output = work.output("json");
  await writeNew(output.path, `${JSON.stringify(result, null, 2)}\n`);
  return { outputs: [output], result };
}
