import { z } from "zod";
import type { Scan } from "../image/scan.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { slotInputName } from "../warm/slot-folder.ts";
import { runWorkerTask } from "./pool.ts";

const scanSchema = z.object({ scale: z.number().positive() });

/** Prepares an image for text recognition as `scanImage` of lib/engines/image does, in a worker. */
export async function scanImage(
  file: WorkFile,
  wantedScale: number,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<Scan> {
  const { outputs, result } = await runWorkerTask({
    task: "scan",
    parameters: { file: slotInputName(file), scale: wantedScale, limits: work.limits },
    inputs: [file],
    allocateOutput: (extension) => work.scratch(extension),
    resultSchema: scanSchema,
    signal,
  });
  const [scan] = outputs;
  if (!scan?.width || !scan.height) throw new Error("a worker returned no scan");
  const { width, height, ...image } = scan;
  return { ...image, width, height, scale: result.scale };
}
