import { parseHexColor, parseInteger, parseNumber } from "../imgproxy/numbers.ts";
import { parseFormat } from "../imgproxy/options.ts";
import { invalidUrl } from "../plan/errors.ts";
import type { ColorChanges, ImagePlan, RgbColor } from "../plan/plan.ts";

/** thumbor's filters: those that change a picture as options do, and those that have no effect here. */

type Filter = (plan: ImagePlan, args: readonly string[]) => ImagePlan;

const noChanges: ColorChanges = { brightness: 0, contrast: 0, saturation: 1, grayscale: false };

const colorNames: Readonly<Record<string, string>> = {
  white: "ffffff",
  black: "000000",
  red: "ff0000",
  green: "008000",
  blue: "0000ff",
  gray: "808080",
  yellow: "ffff00",
};

function parseColor(name: string, text: string): RgbColor {
  const known = Object.hasOwn(colorNames, text) ? colorNames[text] : undefined;
  return parseHexColor(name, known ?? text.replace(/^#/, ""));
}

function withColors(plan: ImagePlan, changes: Partial<ColorChanges>): ImagePlan {
  return { ...plan, colors: { ...(plan.colors ?? noChanges), ...changes } };
}

const percent = (name: string, text: string | undefined) =>
  parseInteger(name, text ?? "", -100, 100);

const unchanged: Filter = (plan) => plan;

const filters: Readonly<Record<string, Filter>> = {
  quality: (plan, [text = ""]) => ({ ...plan, quality: parseInteger("quality", text, 1, 100) }),
  format: (plan, [text = ""]) => ({ ...plan, format: parseFormat(text.toLowerCase()) }),
  // thumbor takes a radius and, if it is given, a deviation.
  blur: (plan, [radius = "", deviation]) => ({
    ...plan,
    blur: Math.min(150, parseNumber("blur", deviation || radius, { min: 0 })),
  }),
  sharpen: (plan, [amount = ""]) => ({
    ...plan,
    sharpen: Math.min(10, parseNumber("sharpen", amount, { min: 0 })),
  }),
  brightness: (plan, [text]) => withColors(plan, { brightness: percent("brightness", text) }),
  contrast: (plan, [text]) => withColors(plan, { contrast: percent("contrast", text) }),
  saturation: (plan, [text = ""]) =>
    withColors(plan, { saturation: parseNumber("saturation", text, { min: 0, max: 100 }) }),
  grayscale: (plan) => withColors(plan, { grayscale: true }),
  rotate: (plan, [text = ""]) => {
    const angle = parseInteger("rotate", text, -360, 360);
    if (angle % 90 !== 0) throw invalidUrl("rotate must be a multiple of 90");
    // thumbor turns counterclockwise.
    return { ...plan, rotate: (360 - (((angle % 360) + 360) % 360)) % 360 };
  },
  background_color: (plan, [text = ""]) => ({
    ...plan,
    background: parseColor("background_color", text),
  }),
  fill: (plan, [text = ""]) => ({
    ...plan,
    extend: { ...plan.extend, enabled: true },
    background: text === "transparent" ? null : parseColor("fill", text),
  }),
  no_upscale: (plan) => ({ ...plan, enlarge: false }),
  upscale: (plan) => ({ ...plan, enlarge: true }),
  stretch: (plan) => ({ ...plan, resize: "force" }),
  proportion: (plan, [text = ""]) => {
    const factor = parseNumber("proportion", text, { min: 0, max: 100, isAbove: true });
    return { ...plan, zoomX: factor, zoomY: factor };
  },
  max_bytes: (plan, [text = ""]) => ({
    ...plan,
    maxBytes: parseInteger("max_bytes", text, 0, 1e9),
  }),
  strip_exif: (plan) => ({ ...plan, stripMetadata: true, keepCopyright: false }),
  strip_icc: (plan) => ({ ...plan, stripColorProfile: true }),
  autojpg: unchanged,
  max_age: unchanged,
  cover: unchanged,
  watermark: (plan, [url = "", x = "0", y = "0", transparency = "0"]) => ({
    ...plan,
    watermark: {
      url: /^https?:\/\//i.test(url) ? url : `http://${url}`,
      opacity: 1 - parseNumber("watermark", transparency, { min: 0, max: 100 }) / 100,
      ...watermarkPlace(x, y),
      scale: 0,
    },
  }),
};

/** Offsets from the left and the top, or below 0 from the right and the bottom. */
function watermarkPlace(x: string, y: string) {
  if (x === "repeat" || y === "repeat") return { position: "re", x: 0, y: 0 } as const;
  const read = (text: string) =>
    text === "center" ? null : parseInteger("watermark", text, -100_000, 100_000);
  const left = read(x);
  const top = read(y);
  const column = left === null ? "" : left < 0 || Object.is(left, -0) ? "ea" : "we";
  const row = top === null ? "" : top < 0 || Object.is(top, -0) ? "so" : "no";
  const names = {
    noea: "noea",
    nowe: "nowe",
    soea: "soea",
    sowe: "sowe",
    no: "no",
    so: "so",
    ea: "ea",
    we: "we",
  } as const;
  const position = names[`${row}${column}` as keyof typeof names] ?? "ce";
  return { position, x: Math.abs(left ?? 0), y: Math.abs(top ?? 0) };
}

/** The names of all filters. */
export const filterNames: readonly string[] = Object.keys(filters);

const filterPattern = /^(?<name>[a-z_]{1,40})\((?<args>[^)]{0,4000})\)$/;

/** The plan with filters such as `blur(3):quality(80)`. Throws `PictureError` for others. */
export function applyFilters(plan: ImagePlan, text: string): ImagePlan {
  let changed = plan;
  for (const written of splitFilters(text)) {
    const { name = "", args = "" } = filterPattern.exec(written)?.groups ?? {};
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
    if (!filter) throw invalidUrl(`unknown filter ${JSON.stringify(written.slice(0, 40))}`);
    changed = filter(changed, args === "" ? [] : args.split(",").map((arg) => arg.trim()));
  }
  return changed;
}

/** Filters are separated by colons outside of their parentheses. */
function splitFilters(text: string): string[] {
  if (text === "") return [];
  return text.split(/(?<=\)):/);
}
