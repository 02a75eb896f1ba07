import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { callInWorker } from "../worker/call.ts";
import type { BitmapOptions } from "./bitmap-task.ts";
import { decodeBitmap } from "./worker-functions.ts";

/**
 * Decodes a BMP file, or the largest image of an ICO file, to a PNG. Throws `JobError`: `corrupt`,
 * `too_complex`, `timed_out`, `out_of_memory`.
 */
export async function bitmapToPng(
  file: WorkFile,
  type: BitmapOptions["type"],
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const { outputs } = await callInWorker(decodeBitmap, {
    files: [file],
    options: { type },
    work,
    signal,
  });
  const [png] = outputs;
  if (!png) throw new Error("a worker returned no PNG");
  return png;
}
