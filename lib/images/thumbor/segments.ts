/** The segments of a thumbor path before its source, in their order; each may be missing. */
const segments = {
  debug: /^debug$/,
  meta: /^meta$/,
  trim: /^trim(?::(?<corner>top-left|bottom-right))?(?::(?<tolerance>\d{1,3}))?$/,
  crop: /^(?<left>\d{1,6})x(?<top>\d{1,6}):(?<right>\d{1,6})x(?<bottom>\d{1,6})$/,
  fit: /^(?<adaptive>adaptive-)?(?<full>full-)?fit-in$/,
  size: /^(?<flipX>-)?(?<width>\d{1,6}|orig)?x(?<flipY>-)?(?<height>\d{1,6}|orig)?$/,
  horizontal: /^(?<align>left|center|right)$/,
  vertical: /^(?<align>top|middle|bottom)$/,
  smart: /^smart$/,
} as const;

type SegmentName = keyof typeof segments;

/** What the segments say, by their names. */
export type Segments = ReadonlyMap<SegmentName, Readonly<Record<string, string | undefined>>>;

/** Reads the segments, and returns what follows them. */
export function readSegments(path: string): { found: Segments; rest: string } {
  const found = new Map<SegmentName, Readonly<Record<string, string | undefined>>>();
  let rest = path;
  for (const [name, pattern] of Object.entries(segments) as [SegmentName, RegExp][]) {
    const slash = rest.indexOf("/");
    const match = slash === -1 ? null : pattern.exec(rest.slice(0, slash));
    if (!match) continue;
    found.set(name, match.groups ?? {});
    rest = rest.slice(slash + 1);
  }
  return { found, rest };
}

/** Filters end with the first closing parenthesis before a slash. Undefined if they do not end. */
export function splitFilters(rest: string): { filters: string; source: string } | undefined {
  if (!rest.startsWith("filters:")) return { filters: "", source: rest };
  const end = rest.indexOf(")/");
  if (end === -1) return undefined;
  return { filters: rest.slice("filters:".length, end + 1), source: rest.slice(end + 2) };
}

/** The corners of the part that is cut out. */
export function readCorners(found: Segments) {
  const groups = found.get("crop");
  if (!groups) return null;
  const [left = 0, top = 0, right = 0, bottom = 0] = ["left", "top", "right", "bottom"].map(
    (name) => Number(groups[name]),
  );
  return { left, top, right, bottom };
}

/** As with thumbor, a source without a scheme is one by HTTP, and it may be encoded once more. */
export function completeSource(source: string): string {
  const decoded = /^https?%3a/i.test(source) ? decodeSource(source) : source;
  const restored = decoded.replace(/^(https?):\/+/i, "$1://");
  if (/^(?:https?:\/\/|upload_|conn_)/i.test(restored)) return restored;
  return `http://${restored}`;
}

function decodeSource(source: string): string {
  try {
    return decodeURIComponent(source);
  } catch {
    return source;
  }
}
