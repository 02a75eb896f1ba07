import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import type { TextOptions } from "./convert-task.ts";
import { convertFile } from "./worker-functions.ts";

export type { TextSource, TextTarget } from "./convert-task.ts";

/**
 * Converts HTML, Markdown or EPUB to HTML, EPUB or flat OpenDocument, in a sandboxed worker. Pictures
 * that are not in the file are left out and counted. Throws `JobError`: `corrupt`, `encrypted`,
 * `too_complex`.
 */
export async function convertText(
  file: WorkFile,
  options: TextOptions,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<{ file: WorkFile; omittedPictures: number }> {
  const { outputs, result } = await callInWorker(convertFile, {
    files: [file],
    options,
    work,
    signal,
  });
  const [output] = outputs;
  if (!output) throw new Error("a worker returned no text");
  return { file: output, ...result };
}
