import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";

/**
 * Runs `read` for each file in order. Of several, an error that a file causes names it: "File 3, contract.pdf: the file
 * is damaged …".
 */
export async function readEach<Input extends WorkFile & { readonly filename?: string }, Result>(
  files: readonly Input[],
  read: (file: Input, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, file] of files.entries()) {
    try {
      results.push(await read(file, index));
    } catch (error) {
      const isNamed = files.length > 1 && error instanceof JobError && error.fault === "caller";
      const name = [`File ${index + 1}`, file.filename].filter(Boolean).join(", ");
      throw isNamed ? error.about(name) : error;
    }
  }
  return results;
}
