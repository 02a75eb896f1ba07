import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { isFirstFrameOnly } from "#lib/formats/animation/detect-animation.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import type { InputFile, Operation } from "./define.ts";

/** Formats that hold animations, so that a result with one frame needs an explanation. */
const animatedFormats: ReadonlySet<MediaTypeId> = new Set(["gif", "webp", "png", "avif", "jxl"]);

const warning =
  "The input is an animation of which only the first frame is in the result: animated PNG, AVIF and JPEG XL files are read as still images.";

/** Adds a warning to the job if the result could be animated, but `input` is read as a still image. */
export async function warnOfDroppedFrames(
  operation: Operation,
  params: Record<string, unknown>,
  { path, type: { id } }: InputFile,
  work: WorkFolder,
): Promise<void> {
  const readsMany = operation.inputs.max !== 1;
  if (readsMany || !animatedFormats.has(operation.produces(id, params))) return;
  if (await isFirstFrameOnly(path, id)) work.warn(warning);
}
