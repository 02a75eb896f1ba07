import type { Sharp, SourceImage } from "#lib/engines/image/open.ts";
import { transformUpright } from "#lib/engines/image/upright.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { limitError } from "#lib/limits/limits.ts";
import { offsetIn, type Position } from "../../fields/index.ts";
import { type CropStrategy, findCrop, isCropStrategy } from "../../shared/image/crop-strategy.ts";
import { canBeTransparent } from "../../shared/image/image-color.ts";
import type { ResizePlan } from "./plan-resize.ts";

/**
 * A pipeline of `source`, upright and resized, with all frames and its metadata. A border is
 * transparent, or white if the image can have no transparency. Throws `JobError`: `too_complex` if the
 * result would have too many pixels.
 */
export async function resizeImage(
  source: SourceImage,
  { scaled, canvas }: ResizePlan,
  position: Position | CropStrategy,
  work: WorkFolder,
): Promise<Sharp> {
  const { imagePixels } = work.limits;
  for (const { width, height } of [scaled, canvas]) {
    if (width * height * source.pages > imagePixels) throw limitError("imagePixels", imagePixels);
  }
  const crops = canvas.width < scaled.width || canvas.height < scaled.height;
  const offset = isCropStrategy(position)
    ? crops && (await findCrop(source, scaled, canvas, position))
    : offsetIn(canvas, scaled, position);
  const { left, top } = offset || offsetIn(canvas, scaled, "center");
  const resize = (frame: Sharp) => frame.resize({ ...scaled, fit: "fill" });
  if (crops) {
    const box = { left: 0 - left, top: 0 - top, ...canvas };
    return transformUpright(source, (frame) => resize(frame).extract(box), work);
  }
  const right = canvas.width - scaled.width - left;
  const bottom = canvas.height - scaled.height - top;
  if (left + right + top + bottom === 0) return transformUpright(source, resize, work);
  const background = { r: 255, g: 255, b: 255, alpha: canBeTransparent(source) ? 0 : 1 };
  const border = { left, right, top, bottom, background };
  return transformUpright(source, (frame) => resize(frame).extend(border), work);
}
