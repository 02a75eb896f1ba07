import { invalidUrl } from "../plan/errors.ts";
import { defaultPlan, type Gravity, type ImagePlan, type PictureRequest } from "../plan/plan.ts";
import { applyFilters } from "./filters.ts";

/** The paths of thumbor's URLs, after their signature. */

const maxPathLength = 16_384;

/** The segments before the source, in their order; each may be missing. */
const segments = {
  debug: /^debug$/,
  meta: /^meta$/,
  trim: /^trim(?::(?:top-left|bottom-right))?(?::(?<tolerance>\d{1,3}))?$/,
  crop: /^(?<left>\d{1,6})x(?<top>\d{1,6}):(?<right>\d{1,6})x(?<bottom>\d{1,6})$/,
  fit: /^(?<adaptive>adaptive-)?(?<full>full-)?fit-in$/,
  size: /^(?<flipX>-)?(?<width>\d{1,6}|orig)?x(?<flipY>-)?(?<height>\d{1,6}|orig)?$/,
  horizontal: /^(?<align>left|center|right)$/,
  vertical: /^(?<align>top|middle|bottom)$/,
  smart: /^smart$/,
} as const;

type SegmentName = keyof typeof segments;
type Groups = Readonly<Record<string, string | undefined>>;

/**
 * Parses what follows the signature, decoded, without the first slash. Throws `PictureError` for
 * everything that the grammar does not allow. Fetches nothing.
 */
export function parseThumborPath(path: string): PictureRequest {
  if (path.length > maxPathLength) throw invalidUrl("it is too long");
  const found = new Map<SegmentName, Groups>();
  let rest = path;
  for (const [name, pattern] of Object.entries(segments) as [SegmentName, RegExp][]) {
    const slash = rest.indexOf("/");
    const match = slash === -1 ? null : pattern.exec(rest.slice(0, slash));
    if (!match) continue;
    found.set(name, match.groups ?? {});
    rest = rest.slice(slash + 1);
  }
  const { filters, source } = splitFilters(rest);
  if (source === "") throw invalidUrl("it has no source");
  const plan = applyFilters(createPlan(found), filters);
  return {
    plan,
    delivery: { isAttachment: false, expires: 0 },
    source: completeSource(source),
    info: found.has("meta") ? "operations" : null,
  };
}

/** As with thumbor, a source without a scheme is one by HTTP. */
function completeSource(source: string): string {
  const restored = source.replace(/^(https?):\/+/i, "$1://");
  if (/^(?:https?:\/\/|upload_|conn_)/i.test(restored)) return restored;
  return `http://${restored}`;
}

/** Filters end with the last closing parenthesis before a slash. */
function splitFilters(rest: string): { filters: string; source: string } {
  if (!rest.startsWith("filters:")) return { filters: "", source: rest };
  const end = rest.indexOf(")/");
  if (end === -1) throw invalidUrl("its filters do not end");
  return { filters: rest.slice("filters:".length, end + 1), source: rest.slice(end + 2) };
}

function createPlan(found: ReadonlyMap<SegmentName, Groups>): ImagePlan {
  const size = found.get("size") ?? {};
  const side = (text: string | undefined) => (text && text !== "orig" ? Number(text) : 0);
  const flipsX = size.flipX !== undefined;
  const flipsY = size.flipY !== undefined;
  const isFlipped = flipsX || flipsY;
  const fit = found.get("fit");
  const trim = found.get("trim");
  return {
    ...defaultPlan,
    // thumbor fills the size, and enlarges a smaller image unless it is to fit in with both sides.
    resize: fit && !fit.full ? "fit" : "fill",
    enlarge: !fit || fit.full !== undefined,
    keepsWhole: fit?.full !== undefined,
    isAdaptive: fit?.adaptive !== undefined,
    width: side(size.width),
    height: side(size.height),
    // thumbor flips what it has cut out and resized, before the filters.
    filters: isFlipped ? [{ name: "flip", horizontal: flipsX, vertical: flipsY }] : [],
    gravity: found.has("smart") ? { type: "sm", x: 0, y: 0 } : alignment(found),
    box: readBox(found.get("crop")),
    trim: trim
      ? {
          threshold: Number(trim.tolerance ?? 0),
          color: null,
          equalHorizontal: false,
          equalVertical: false,
        }
      : null,
  };
}

function alignment(found: ReadonlyMap<SegmentName, Groups>): Gravity {
  const horizontal = found.get("horizontal")?.align ?? "center";
  const vertical = found.get("vertical")?.align ?? "middle";
  const rows = { top: "no", middle: "", bottom: "so" }[vertical] ?? "";
  const columns = { left: "we", center: "", right: "ea" }[horizontal] ?? "";
  const type = `${rows}${columns}` || "ce";
  // Rows come before columns in every name of a corner.
  return { type: type as Gravity["type"], x: 0, y: 0 };
}

/** thumbor ignores a crop whose corners are in the wrong order. */
function readBox(groups: Groups | undefined): ImagePlan["box"] {
  if (!groups) return null;
  const [left = 0, top = 0, right = 0, bottom = 0] = ["left", "top", "right", "bottom"].map(
    (name) => Number(groups[name]),
  );
  return right > left && bottom > top ? { left, top, right, bottom } : null;
}
