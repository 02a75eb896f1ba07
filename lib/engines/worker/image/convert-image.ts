import type { Conversion } from "../../image/formats/convert.ts";
import type { SavedImage } from "../../image/save.ts";
import type { WorkFile, WorkFolder } from "../../sandbox/work-folder.ts";
import { callInWorker } from "../call.ts";
import { convert } from "./worker-functions.ts";

export type { Conversion } from "../../image/formats/convert.ts";

/**
 * Converts an image as `convertImage` of lib/engines/image does, in a worker. The output or, with
 * `isScratch`, an intermediate file is in `work`. Throws `JobError` if the image is damaged or too
 * large.
 */
export async function convertImage(
  file: WorkFile,
  conversion: Conversion,
  work: WorkFolder,
  signal: AbortSignal,
  { isScratch = false } = {},
): Promise<SavedImage> {
  // Between two operations of a chain, the file of an image is not what its type says.
  const isDecoded = file.encoding !== undefined;
  const { outputs } = await callInWorker(convert, {
    files: [file],
    options: { conversion, isDecoded },
    allocateOutput: (extension) => (isScratch ? work.scratch(extension) : work.output(extension)),
    work,
    signal,
  });
  const [converted] = outputs;
  if (!converted?.width || !converted.height) throw new Error("a worker returned no image");
  const { width, height, ...image } = converted;
  return { ...image, width, height };
}
