import { loadSharp } from "#lib/engines/image/open.ts";
import { drawsUnder } from "../plan/pixel-filters.ts";
import type { Box } from "../plan/size.ts";
import { isSmartCrop, placeCrop, planTransform, type Transform } from "../plan/transform.ts";
import type { DrawSettings } from "./draw-frame.ts";
import { white } from "./extend.ts";
import { applyFilters } from "./filters/apply-filters.ts";
import { type Canvas, extract, requireDrawable, settle } from "./pixels/canvas.ts";
import { findBorder } from "./trim.ts";

/** Draws one frame of what a thumbor URL asks for, in a worker. `source` is upright. */
export async function drawTransformed(
  source: Canvas,
  transform: Transform,
  { plan, lacksAlpha, watermarks }: DrawSettings,
): Promise<Canvas> {
  const { filters } = plan;
  // Otherwise a format without transparency would show the colors that transparent pixels have.
  const flattens = lacksAlpha && !drawsUnder(filters);
  const image = flattens ? source.image.flatten({ background: white }) : source.image;
  const settled = transform.trim ? await settle({ ...source, image }) : { ...source, image };
  const border = transform.trim ? await findBorder(settled, transform.trim) : undefined;
  const { left, top } = border ?? { left: 0, top: 0 };
  // sharp has one cut before the resizing.
  const trimmed = border ? await settle(extract(settled, border)) : settled;
  const steps = planTransform(trimmed, transform, { original: source, left, top });
  requireDrawable(steps.result);
  const part: Box = steps.box ?? { ...trimmed, left: 0, top: 0 };
  let canvas: Canvas;
  if (isSmartCrop(transform, steps)) {
    const sharp = await loadSharp();
    const cut = await settle(extract(trimmed, part));
    const position = sharp.strategy.attention;
    canvas = {
      image: cut.image.resize({ ...steps.result, fit: "cover", position }),
      ...steps.result,
    };
  } else {
    const inner = steps.crop && placeCrop(part, steps.crop, steps.focus);
    const placed = inner
      ? { ...inner, left: part.left + inner.left, top: part.top + inner.top }
      : part;
    const cut = extract(trimmed, placed);
    const isSame = cut.width === steps.result.width && cut.height === steps.result.height;
    canvas = isSame
      ? cut
      : { image: cut.image.resize({ ...steps.result, fit: "fill" }), ...steps.result };
  }
  const settings = { requested: steps.requested, overlays: watermarks, lacksAlpha };
  return applyFilters(canvas, filters, settings);
}
