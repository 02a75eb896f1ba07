import { invalidUrl } from "../plan/errors.ts";
import { defaultPlan, type ImagePlan, type PictureRequest } from "../plan/plan.ts";
import type { RequestedSide, Transform } from "../plan/transform.ts";
import { applyFilters } from "./filters.ts";
import {
  completeSource,
  readCorners,
  readSegments,
  type Segments,
  splitFilters,
} from "./segments.ts";

/** The paths of thumbor's URLs, after their signature. */

const maxPathLength = 16_384;

/**
 * Parses what follows the signature, decoded, without the first slash. Throws `PictureError` for
 * everything that the grammar does not allow. Fetches nothing.
 */
export function parseThumborPath(path: string): PictureRequest {
  if (path.length > maxPathLength) throw invalidUrl("it is too long");
  const { found, rest } = readSegments(path);
  const split = splitFilters(rest);
  if (!split) throw invalidUrl("its filters do not end");
  if (split.source === "") throw invalidUrl("it has no source");
  const request: PictureRequest = {
    plan: createPlan(found),
    delivery: { isAttachment: false, expires: 0 },
    source: completeSource(split.source),
    info: found.has("meta") ? "operations" : null,
  };
  return applyFilters(request, split.filters);
}

function createPlan(found: Segments): ImagePlan {
  const { flipX, flipY } = found.get("size") ?? {};
  const isFlipped = flipX !== undefined || flipY !== undefined;
  return {
    ...defaultPlan,
    transform: createTransform(found),
    // thumbor flips what it has cut out and resized, before the filters.
    filters: isFlipped
      ? [{ name: "flip", horizontal: flipX !== undefined, vertical: flipY !== undefined }]
      : [],
  };
}

function createTransform(found: Segments): Transform {
  const size = found.get("size") ?? {};
  const fit = found.get("fit");
  const trim = found.get("trim");
  const corners = readCorners(found);
  return {
    width: readSide(size.width),
    height: readSide(size.height),
    fit: fit ? (fit.full ? "full-fit-in" : "fit-in") : "fill",
    isAdaptive: fit?.adaptive !== undefined,
    noUpscale: false,
    trim: trim
      ? {
          corner: trim.corner === "bottom-right" ? "bottom-right" : "top-left",
          tolerance: Number(trim.tolerance ?? 0),
        }
      : null,
    box: corners && Object.values(corners).some((side) => side > 0) ? corners : null,
    horizontal: alignmentOf(found.get("horizontal")?.align, horizontals, "center"),
    vertical: alignmentOf(found.get("vertical")?.align, verticals, "middle"),
    isSmart: found.has("smart"),
    focalPoints: [],
  };
}

const horizontals = ["left", "center", "right"] as const;
const verticals = ["top", "middle", "bottom"] as const;

function alignmentOf<Name extends string>(
  text: string | undefined,
  names: readonly Name[],
  usual: Name,
): Name {
  return names.find((name) => name === text) ?? usual;
}

function readSide(text: string | undefined): RequestedSide {
  return text === "orig" ? "orig" : Number(text ?? 0);
}
