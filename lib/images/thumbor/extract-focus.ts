import type { FocalPoint } from "../plan/transform.ts";
import { completeSource, readCorners, readSegments, splitFilters } from "./segments.ts";

/** The filter `extract_focal`: a source that is a thumbor URL itself is replaced by its own source. */

const maxDepth = 10;

/**
 * The source of the first thumbor URL in `source` that cuts a part out, and that part as a focal point. Undefined if
 * there is none.
 */
export function extractFocus(
  source: string,
): { source: string; focalPoints: readonly FocalPoint[] } | undefined {
  let inner = source;
  for (let depth = 0; depth < maxDepth; depth++) {
    // The host, and `unsafe` or the signature.
    const [, path] = /^https?:\/\/[^/]*\/[^/]+\/(.+)$/is.exec(completeSource(inner)) ?? [];
    if (path === undefined) return undefined;
    const { found, rest } = readSegments(path);
    inner = splitFilters(rest)?.source ?? rest;
    const corners = readCorners(found);
    if (!corners) continue;
    const point = createFocus(corners, "Original Extraction");
    return { source: completeSource(inner), focalPoints: point ? [point] : [] };
  }
  return undefined;
}

/** The center of a rectangle. Undefined if its corners are in the wrong order. */
export function createFocus(
  { left, top, right, bottom }: Record<"left" | "top" | "right" | "bottom", number>,
  origin: FocalPoint["origin"],
): FocalPoint | undefined {
  const width = right - left;
  const height = bottom - top;
  if (width <= 0 || height <= 0) return undefined;
  const x = left + Math.floor(width / 2);
  const y = top + Math.floor(height / 2);
  return { x, y, width, height, origin };
}
