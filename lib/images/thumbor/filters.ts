import { parseFormat } from "../imgproxy/formats.ts";
import { parseHexColor } from "../imgproxy/numbers.ts";
import { invalidUrl, PictureError } from "../plan/errors.ts";
import { type PixelFilter, watermarkUrls } from "../plan/pixel-filters.ts";
import type { ImagePlan, RgbColor } from "../plan/plan.ts";
import {
  type ArgumentType,
  areValid,
  decimal,
  natural,
  optional,
  splitArguments,
  text,
  truth,
  word,
} from "./arguments.ts";
import { pixelFilters } from "./pixel-filters.ts";

/** thumbor's filters, with the arguments that it takes. */

/** The plan with a filter, whose arguments are valid. Throws `PictureError` for others that are not possible. */
type Apply = (plan: ImagePlan, args: readonly string[]) => ImagePlan;

const colorNames: Readonly<Record<string, string>> = {
  white: "ffffff",
  black: "000000",
  red: "ff0000",
  green: "008000",
  blue: "0000ff",
  gray: "808080",
  yellow: "ffff00",
};

function parseColor(name: string, color: string): RgbColor {
  const known = Object.hasOwn(colorNames, color) ? colorNames[color] : undefined;
  return parseHexColor(name, known ?? color);
}

const unchanged: Apply = (plan) => plan;

const filters: Readonly<Record<string, readonly [readonly ArgumentType[], Apply]>> = {
  quality: [[natural], (plan, [value]) => ({ ...plan, quality: Math.min(100, Number(value)) })],
  format: [
    [text],
    (plan, [name = ""]) => {
      try {
        return { ...plan, format: parseFormat(name.toLowerCase()) };
      } catch (error) {
        if (error instanceof PictureError) return plan;
        throw error;
      }
    },
  ],
  background_color: [
    [word],
    (plan, [color = ""]) => ({ ...plan, background: parseColor("background_color", color) }),
  ],
  fill: [[word, optional(truth)], fill],
  no_upscale: [[], (plan) => ({ ...plan, enlarge: false })],
  upscale: [[], (plan) => ({ ...plan, enlarge: true })],
  stretch: [[], (plan) => ({ ...plan, resize: "force" })],
  proportion: [
    [decimal],
    (plan, [value]) => {
      const factor = Number(value);
      return factor > 0 && factor <= 1 ? { ...plan, zoomX: factor, zoomY: factor } : plan;
    },
  ],
  max_bytes: [[natural], (plan, [value]) => ({ ...plan, maxBytes: Number(value) })],
  strip_exif: [[], (plan) => ({ ...plan, stripMetadata: true, keepCopyright: false })],
  strip_icc: [[], (plan) => ({ ...plan, stripColorProfile: true })],
  focal: [[text], addFocus],
  autojpg: [[optional(truth)], unchanged],
  max_age: [[natural], unchanged],
  cover: [[], unchanged],
  ...Object.fromEntries(
    Object.entries(pixelFilters).map(([name, [types, create]]) => [
      name,
      [types, (plan: ImagePlan, args: readonly string[]) => withFilter(plan, create(args))],
    ]),
  ),
};

function withFilter(plan: ImagePlan, filter: PixelFilter | null): ImagePlan {
  return filter ? { ...plan, filters: [...plan.filters, filter] } : plan;
}

function fill(plan: ImagePlan, [color = ""]: readonly string[]): ImagePlan {
  const by = color === "auto" ? "average" : color === "blur" ? "blur" : "background";
  const isColor = by === "background" && color !== "transparent";
  const filled = withFilter(plan, { name: "fill", by });
  return {
    ...filled,
    extend: { ...plan.extend, enabled: true },
    background: isColor ? parseColor("fill", color) : null,
  };
}

/** The center of a rectangle counts as much as its area. */
function addFocus(plan: ImagePlan, [rectangle = ""]: readonly string[]): ImagePlan {
  const corners = /^(\d{1,6})x(\d{1,6}):(\d{1,6})x(\d{1,6})/.exec(rectangle)?.slice(1).map(Number);
  const [left = 0, top = 0, right = 0, bottom = 0] = corners ?? [];
  const width = right - left;
  const height = bottom - top;
  if (width <= 0 || height <= 0) return plan;
  const x = left + Math.floor(width / 2);
  const y = top + Math.floor(height / 2);
  return { ...plan, focalPoints: [...plan.focalPoints, { x, y, width, height }] };
}

/** The names of all filters. */
export const filterNames: readonly string[] = Object.keys(filters);

/** Each filter takes time of a worker, and each watermark is fetched. */
const maxFilters = 30;
const maxWatermarks = 5;

/**
 * The plan with filters such as `blur(3):quality(80)`. As with thumbor, those that do not exist, or have other
 * arguments, are ignored. Throws `PictureError` for arguments that are not possible, and for too many filters.
 */
export function applyFilters(plan: ImagePlan, written: string): ImagePlan {
  let changed = plan;
  for (const one of splitFilters(written)) {
    const [name = ""] = one.split("(", 1);
    const [types, apply] = Object.hasOwn(filters, name) ? (filters[name] ?? []) : [];
    const args = splitArguments(one.slice(name.length + 1));
    if (types && apply && areValid(args, types)) changed = apply(changed, args);
  }
  if (changed.filters.length > maxFilters) throw invalidUrl("it has too many filters");
  if (watermarkUrls(changed.filters).length > maxWatermarks) {
    throw invalidUrl("it has too many watermarks");
  }
  return changed;
}

/** The filters without their last parenthesis. */
function splitFilters(written: string): string[] {
  return written.replace(/\)$/, "").split("):");
}
