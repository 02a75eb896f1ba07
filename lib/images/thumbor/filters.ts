import { parseFormat } from "../imgproxy/formats.ts";
import { invalidUrl, PictureError } from "../plan/errors.ts";
import { overlayUrls, type PixelFilter } from "../plan/pixel-filters.ts";
import type { ImagePlan, PictureFormat, PictureRequest } from "../plan/plan.ts";
import type { Transform } from "../plan/transform.ts";
import {
  type ArgumentType,
  areValid,
  isTrue,
  natural,
  optional,
  splitArguments,
  text,
  truth,
} from "./arguments.ts";
import { createFocus, extractFocus } from "./extract-focus.ts";
import { pixelFilters } from "./pixel-filters.ts";

/** thumbor's filters, with the arguments that it takes. */

/** The request with a filter, whose arguments are valid. Throws `PictureError` for others that are not possible. */
type Apply = (request: PictureRequest, args: readonly string[]) => PictureRequest;

function changePlan(change: (plan: ImagePlan, args: readonly string[]) => ImagePlan): Apply {
  return (request, args) => ({ ...request, plan: change(request.plan, args) });
}

function changeTransform(
  change: (transform: Transform, args: readonly string[]) => Partial<Transform>,
): Apply {
  return changePlan((plan, args) => {
    const { transform } = plan;
    return transform ? { ...plan, transform: { ...transform, ...change(transform, args) } } : plan;
  });
}

function addPixelFilter(create: (args: readonly string[]) => PixelFilter | null): Apply {
  return changePlan((plan, args) => {
    const filter = create(args);
    return filter ? { ...plan, filters: [...plan.filters, filter] } : plan;
  });
}

const filters: Readonly<Record<string, readonly [readonly ArgumentType[], Apply]>> = {
  quality: [
    [natural],
    changePlan((plan, [value]) => ({ ...plan, quality: Math.min(100, Number(value)) })),
  ],
  format: [[text], changePlan((plan, [name = ""]) => ({ ...plan, format: findFormat(name) }))],
  autojpg: [
    [optional(truth)],
    changePlan((plan, [enabled = "true"]) => ({ ...plan, autoJpeg: isTrue(enabled) })),
  ],
  max_bytes: [[natural], changePlan((plan, [value]) => ({ ...plan, maxBytes: Number(value) }))],
  max_age: [
    [natural],
    (request, [value]) => ({
      ...request,
      delivery: { ...request.delivery, maxAgeSeconds: Number(value) },
    }),
  ],
  strip_exif: [[], changePlan((plan) => ({ ...plan, stripMetadata: true, keepCopyright: false }))],
  strip_icc: [[], changePlan((plan) => ({ ...plan, stripColorProfile: true }))],
  cover: [[], changePlan((plan) => ({ ...plan, isStill: true }))],
  no_upscale: [[], changeTransform(() => ({ noUpscale: true }))],
  // As with thumbor, a picture that fits in keeps its ratio.
  stretch: [[], changeTransform(({ fit }) => ({ fit: fit === "fill" ? "stretch" : fit }))],
  focal: [[text], changeTransform(addFocus)],
  extract_focal: [
    [],
    (request) => {
      const extracted = extractFocus(request.source);
      if (!extracted) return request;
      const { source, focalPoints: added } = extracted;
      const addPoints = changeTransform(({ focalPoints }) => ({
        focalPoints: [...focalPoints, ...added],
      }));
      return addPoints({ ...request, source }, []);
    },
  ],
  ...Object.fromEntries(
    Object.entries(pixelFilters).map(([name, [types, create]]) => [
      name,
      [types, addPixelFilter(create)],
    ]),
  ),
};

/** As with thumbor, an unknown format is that of the client or of the source. */
function findFormat(name: string): PictureFormat | null {
  const lower = name.toLowerCase();
  try {
    return parseFormat(lower === "heif" ? "heic" : lower);
  } catch (error) {
    if (error instanceof PictureError) return null;
    throw error;
  }
}

function addFocus({ focalPoints }: Transform, [rectangle = ""]: readonly string[]) {
  const corners = /^(\d{1,6})x(\d{1,6}):(\d{1,6})x(\d{1,6})/.exec(rectangle)?.slice(1).map(Number);
  const [left = 0, top = 0, right = 0, bottom = 0] = corners ?? [];
  const point = createFocus({ left, top, right, bottom }, "Explicit");
  return point ? { focalPoints: [...focalPoints, point] } : {};
}

/** The names of all filters. */
export const filterNames: readonly string[] = Object.keys(filters);

/** Most filters take time of a worker, and each image that they draw is fetched. */
const maxFilters = 30;
const maxOverlays = 5;

/**
 * The request with filters such as `blur(3):quality(80)`. As with thumbor, those that do not exist, or have other
 * arguments, are ignored. Throws `PictureError` for arguments that are not possible, and for too many filters.
 */
export function applyFilters(request: PictureRequest, written: string): PictureRequest {
  const all = splitFilters(written);
  // Those that change no pixels count, too: extract_focal parses the source each time.
  if (all.length > maxFilters) throw invalidUrl("it has too many filters");
  let changed = request;
  for (const one of all) {
    const [name = ""] = one.split("(", 1);
    const [types, apply] = Object.hasOwn(filters, name) ? (filters[name] ?? []) : [];
    const args = splitArguments(one.slice(name.length + 1));
    if (types && apply && areValid(args, types)) changed = apply(changed, args);
  }
  if (overlayUrls(changed.plan.filters).length > maxOverlays) {
    throw invalidUrl("it has too many watermarks and frames");
  }
  return changed;
}

/** The filters without their last parenthesis. */
function splitFilters(written: string): string[] {
  return written.replace(/\)$/, "").split("):");
}
