import type { Scan } from "#lib/engines/image/scan.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { scan } from "#lib/engines/worker/image/worker-functions.ts";

/** Prepares an image for text recognition as `scanImage` of lib/engines/image does, in a worker. */
export async function scanImage(
  file: WorkFile,
  wantedScale: number,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<Scan> {
  const { outputs, result } = await callInWorker(scan, {
    files: [file],
    options: { scale: wantedScale },
    work,
    signal,
  });
  const [image] = outputs;
  if (!image?.width || !image.height) throw new Error("a worker returned no scan");
  const { width, height, ...written } = image;
  return { ...written, width, height, scale: result.scale };
}
