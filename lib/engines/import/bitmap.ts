import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { callInWorker } from "../worker/call.ts";
import { noResultSchema } from "../worker/pool.ts";
import type { BitmapOptions } from "./bitmap-task.ts";

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
  const options: BitmapOptions = { type };
  const { outputs } = await callInWorker({
    ...{ module: "engines/import/bitmap-task.ts", name: "decodeBitmap" },
    ...{ files: [file], options, resultSchema: noResultSchema, work, signal },
  });
  const [png] = outputs;
  if (!png) throw new Error("a worker returned no PNG");
  return png;
}
