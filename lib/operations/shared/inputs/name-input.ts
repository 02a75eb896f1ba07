import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";

/**
 * Runs `work` on the input `index` of `count` inputs. If there are several, the message of its `JobError` begins with
 * the number of the input, counted from 1, and the name of its file if it is known: "Input 3, contract.pdf: The file …".
 */
export async function nameInput<Result>(
  index: number,
  count: number,
  work: () => Promise<Result>,
  filename?: string,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof JobError) || count === 1) throw error;
    const name = filename === undefined ? "" : `, ${filename}`;
    throw new JobError(error.code, `Input ${index + 1}${name}: ${error.message}`, {
      cause: error,
      isPermanent: error.fault === "caller",
    });
  }
}

/** Runs `read` for each file in order. Errors name the file as `nameInput` does. */
export async function readEach<Input extends WorkFile & { readonly filename?: string }, Result>(
  files: readonly Input[],
  read: (file: Input, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, file] of files.entries()) {
    results.push(await nameInput(index, files.length, () => read(file, index), file.filename));
  }
  return results;
}
