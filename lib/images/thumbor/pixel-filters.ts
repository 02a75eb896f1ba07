import { invalidUrl } from "../plan/errors.ts";
import type { CurvePoint, PastePosition, PixelFilter } from "../plan/pixel-filters.ts";
import {
  type ArgumentType,
  decimal,
  integer,
  isTrue,
  matching,
  natural,
  optional,
  positive,
  text,
  truth,
  word,
} from "./arguments.ts";
import { parseColor } from "./colors.ts";

/** thumbor's filters of pixels, with the arguments that it takes. */

/** The filter for valid arguments; null if it changes nothing. Throws `PictureError` if they are not possible. */
type Create = (args: readonly string[]) => PixelFilter | null;

const curve = matching(/^\[(?:\(\d{1,3},\d{1,3}\),?){1,256}\]$/);
const position = matching(/^(?:-?\d{1,6}p?|center|repeat)$/);
const ratio = matching(/^(?:-?\d{1,6}|none)$/);
const kernel = matching(/^-?\d{1,9}(?:\.\d{0,9})?(?:;-?\d{1,9}(?:\.\d{0,9})?){0,1000}$/);

/** Larger changes give the same pixels. */
const maxPercent = 10_000;

const limit = (argument: string | undefined, most: number) =>
  Math.max(-most, Math.min(most, Number(argument)));

const percent = (argument: string | undefined) => limit(argument, maxPercent);

const maxBlurRadius = 150;

export const pixelFilters: Readonly<Record<string, readonly [readonly ArgumentType[], Create]>> = {
  brightness: [[integer], ([value]) => ({ name: "brightness", value: percent(value) })],
  contrast: [[integer], ([value]) => ({ name: "contrast", value: percent(value) })],
  rgb: [
    [integer, integer, integer],
    ([red, green, blue]) => ({
      name: "rgb",
      values: [percent(red), percent(green), percent(blue)],
    }),
  ],
  colorize: [
    [natural, natural, natural, text],
    ([red, green, blue, color = ""]) => {
      const digits = /^([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(color)?.slice(1) ?? [];
      const [r, g, b] = digits.map((pair) => Number.parseInt(pair, 16));
      if (r === undefined || g === undefined || b === undefined) {
        throw invalidUrl("the color of colorize must have 6 hexadecimal digits");
      }
      return {
        name: "colorize",
        percents: [percent(red), percent(green), percent(blue)],
        color: [r, g, b],
      };
    },
  ],
  saturation: [[decimal], ([value]) => ({ name: "saturation", factor: limit(value, 100) })],
  grayscale: [[], () => ({ name: "grayscale" })],
  equalize: [[], () => ({ name: "equalize" })],
  noise: [
    [natural, optional(natural)],
    ([amount, seed = "0"]) => ({ name: "noise", amount: Number(amount), seed: Number(seed) }),
  ],
  curve: [
    [curve, curve, curve, curve],
    ([all, red, green, blue]) => ({
      name: "curve",
      all: parseCurve(all),
      channels: [parseCurve(red), parseCurve(green), parseCurve(blue)],
    }),
  ],
  convolution: [[kernel, positive, optional(truth)], createConvolution],
  blur: [
    [positive, optional(decimal)],
    ([radius, deviation]) => {
      const sigma = Math.abs(Number(deviation ?? 0)) || Number(radius);
      return {
        name: "blur",
        radius: Math.min(maxBlurRadius, Number(radius)),
        sigma: Math.min(1000, sigma),
      };
    },
  ],
  sharpen: [
    [decimal, decimal, truth],
    ([amount, radius, luminanceOnly]) => ({
      name: "sharpen",
      amount: limit(amount, 1000),
      radius: limit(radius, 1000),
      luminanceOnly: isTrue(luminanceOnly),
    }),
  ],
  round_corner: [
    [matching(/^\d{1,6}(?:\|\d{1,6})?$/), natural, natural, natural, optional(truth)],
    createRoundCorner,
  ],
  rotate: [
    [integer],
    ([value]) => {
      const angle = Number(value);
      // thumbor turns counterclockwise, and by multiples of 90 only.
      if (angle % 90 !== 0 || angle % 360 === 0) return null;
      return { name: "rotate", angle: 360 - (((angle % 360) + 360) % 360) };
    },
  ],
  proportion: [
    [decimal],
    ([value]) => {
      const factor = Number(value);
      return factor > 0 && factor <= 1 ? { name: "proportion", factor } : null;
    },
  ],
  upscale: [[], () => ({ name: "upscale" })],
  background_color: [
    [word],
    ([color = ""]) => ({
      name: "background_color",
      color: parseColor("background_color", color),
    }),
  ],
  fill: [
    [word, optional(truth)],
    ([color = "", fillsTransparent]) => ({
      name: "fill",
      by: findFilling(color),
      fillsTransparent: isTrue(fillsTransparent),
    }),
  ],
  frame: [[text], ([url = ""]) => ({ name: "frame", url: completeUrl(url) })],
  watermark: [
    [
      text,
      optional(position),
      optional(position),
      optional(natural),
      optional(ratio),
      optional(ratio),
    ],
    createWatermark,
  ],
};

function parseCurve(written = ""): CurvePoint[] {
  const points = [...written.matchAll(/\((\d+),(\d+)\)/g)].map(
    ([, x, y]): CurvePoint => [Number(x), Number(y)],
  );
  const isOrdered = points.every(([x, y], index) => {
    const before = points[index - 1]?.[0] ?? -1;
    return x > before && x <= 255 && y <= 255;
  });
  if (!isOrdered) throw invalidUrl("the points of a curve must be in order, and at most 255");
  return points;
}

/** More items would take too long, even for small pictures. */
const maxKernel = 441;

function createConvolution([
  written = "",
  columns,
  normalizes = "true",
]: readonly string[]): PixelFilter {
  const items = written.split(";").map(Number);
  const width = Number(columns);
  const isOdd = items.length % 2 === 1 && width % 2 === 1;
  if (items.length % width !== 0 || !isOdd || items.length > maxKernel) {
    throw invalidUrl(
      `the kernel of a convolution must have an odd number of rows and columns, and at most ${maxKernel} items`,
    );
  }
  const sum = items.reduce((total, item) => total + item, 0);
  const divisor = isTrue(normalizes) && sum !== 0 ? sum : 1;
  return { name: "convolution", kernel: items, columns: width, divisor };
}

function createRoundCorner([radii = "", ...rest]: readonly string[]): PixelFilter {
  const [radiusX = 0, radiusY = radiusX] = radii.split("|").map(Number);
  const [red = 0, green = 0, blue = 0] = rest.slice(0, 3).map(Number);
  if (Math.max(red, green, blue) > 255) {
    throw invalidUrl("the colors of round_corner must be at most 255");
  }
  const color = [red, green, blue] as const;
  return { name: "round_corner", radiusX, radiusY, color, transparent: isTrue(rest[3]) };
}

function findFilling(color: string): Extract<PixelFilter, { name: "fill" }>["by"] {
  if (color === "auto") return "average";
  if (color === "blur") return "blur";
  return color === "transparent" ? [0, 0, 0, 0] : parseColor("fill", color);
}

const completeUrl = (url: string) => (/^https?:\/\//i.test(url) ? url : `http://${url}`);

function createWatermark(args: readonly string[]): PixelFilter {
  const [url = "", x = "0", y = "0", transparency = "0", width = "none", height = "none"] = args;
  return {
    name: "watermark",
    url: completeUrl(url),
    x: parsePosition(x),
    y: parsePosition(y),
    transparency: Math.min(100, Number(transparency)),
    maxWidth: parseRatio(width),
    maxHeight: parseRatio(height),
  };
}

function parsePosition(written: string): PastePosition {
  if (written === "center" || written === "repeat") return written;
  const [, sign, digits, unit] = /^(-?)(\d+)(p?)$/.exec(written) ?? [];
  return {
    offset: Number(digits),
    unit: unit === "p" ? "percent" : "px",
    fromEnd: sign === "-",
  };
}

function parseRatio(written: string): number {
  const value = written === "none" ? 0 : Number(written);
  if (value < 0) throw invalidUrl("the size of a watermark must not be negative");
  return value / 100;
}
