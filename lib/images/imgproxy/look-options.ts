import { invalidUrl } from "../plan/errors.ts";
import { edgeGravities, type Watermark } from "../plan/plan.ts";
import {
  decodeBase64,
  invalidArgument,
  parseHexColor,
  parseInteger,
  parseNumber,
} from "./numbers.ts";
import { type Apply, atMost, field } from "./option.ts";

/** The options about the background, the filters and the watermark of a picture. */

export const background: Apply = (state, args) => {
  if (args.length === 1) {
    const color = args[0] === "" ? null : parseHexColor("background", args[0]);
    state.plan = { ...state.plan, background: color };
    return;
  }
  if (args.length !== 3) throw invalidUrl("background has one argument or three");
  const [r = 0, g = 0, b = 0] = args.map((text) => parseInteger("background", text, 0, 255));
  state.plan = { ...state.plan, background: { r, g, b } };
};

/** A value above `max` is reduced to it, because the time of the filter grows with the value. */
const sigma = (name: "blur" | "sharpen", max: number) =>
  field(name, (text) => ({ [name]: Math.min(max, parseNumber(name, text, { min: 0 })) }));

export const blur = sigma("blur", 300);
export const sharpen = sigma("sharpen", 10);

const noWatermark: Watermark = { opacity: 0, position: "ce", x: 0, y: 0, scale: 0, url: null };

export const watermark: Apply = (state, args) => {
  atMost("watermark", args, 7);
  const [opacity, position, x, y, scale] = args;
  const current = state.plan.watermark ?? noWatermark;
  const place = position
    ? [...edgeGravities, "re" as const].find((one) => one === position)
    : current.position;
  if (!place) throw invalidArgument("watermark", position ?? "", "a position");
  state.plan = {
    ...state.plan,
    watermark: {
      ...current,
      opacity: parseNumber("watermark", opacity, { min: 0, max: 1 }),
      position: place,
      x: x ? parseNumber("watermark", x) : current.x,
      y: y ? parseNumber("watermark", y) : current.y,
      scale: scale
        ? parseNumber("watermark", scale, { min: 0, max: 100, isAbove: true })
        : current.scale,
    },
  };
};

export const watermarkUrl: Apply = (state, args) => {
  atMost("watermark_url", args, 1);
  const url = args[0] === "" ? null : decodeBase64("watermark_url", args[0]);
  state.plan = { ...state.plan, watermark: { ...(state.plan.watermark ?? noWatermark), url } };
};
