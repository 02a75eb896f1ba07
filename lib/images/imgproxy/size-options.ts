import { invalidUrl } from "../plan/errors.ts";
import { type Extension, edgeGravities, type Gravity, resizeTypes } from "../plan/plan.ts";
import {
  invalidArgument,
  parseBoolean,
  parseHexColor,
  parseInteger,
  parseNumber,
} from "./numbers.ts";
import { type Apply, atMost, field, optional } from "./option.ts";

/** The options about the size, the part and the orientation of a picture. */

export const pixels = (
  name: "width" | "height" | "minWidth" | "minHeight",
  option: string = name,
) => field(option, (text) => ({ [name]: parseInteger(option, text, 0) }));

export const width = pixels("width");
export const height = pixels("height");
export const enlarge = field("enlarge", (text) => ({ enlarge: parseBoolean(text) }));

export const resizingType = field("resizing_type", (text) => {
  const resize = resizeTypes.find((type) => type === text);
  if (!resize) throw invalidArgument("resizing_type", text, `one of ${resizeTypes.join(", ")}`);
  return { resize };
});

export const size: Apply = (state, args) => {
  atMost("size", args, 7);
  optional(width, state, args[0]);
  optional(height, state, args[1]);
  optional(enlarge, state, args[2]);
  const [extended, ...rest] = args.slice(3);
  if (extended) extension("extend")(state, [extended, ...rest]);
};

export const resize: Apply = (state, args) => {
  atMost("resize", args, 8);
  optional(resizingType, state, args[0]);
  const [first, ...rest] = args.slice(1);
  if (first !== undefined) size(state, [first, ...rest]);
};

export const zoom: Apply = (state, args) => {
  atMost("zoom", args, 2);
  const [zoomX, zoomY = zoomX] = args.map((text) =>
    parseNumber("zoom", text, { min: 0, max: 100, isAbove: true }),
  );
  state.plan = { ...state.plan, zoomX: zoomX ?? 1, zoomY: zoomY ?? 1 };
};

/** Reads a gravity. `allowed`: the types that the option allows besides the edges. Throws `PictureError`. */
function parseGravity(
  name: string,
  args: readonly string[],
  allowed: readonly ("sm" | "fp")[],
  current: Gravity,
): Gravity {
  const [text = "", x, y] = args;
  const type = [...edgeGravities, ...allowed].find((one) => one === text);
  if (!type) throw invalidArgument(name, text, "a gravity");
  if (type === "sm") {
    atMost(`${name} sm`, args, 1);
    return { type, x: 0, y: 0 };
  }
  atMost(name, args, 3);
  if (type === "fp" && args.length !== 3) throw invalidUrl(`${name} fp needs two coordinates`);
  const bounds = type === "fp" ? { min: 0, max: 1 } : {};
  const offset = (given: string | undefined, before: number) =>
    given ? parseNumber(`${name} offset`, given, bounds) : before;
  const isFocusPoint = type === "fp" || current.type === "fp";
  return {
    type,
    x: offset(x, isFocusPoint ? 0 : current.x),
    y: offset(y, isFocusPoint ? 0 : current.y),
  };
}

export const gravity: Apply = (state, args) => {
  const { plan } = state;
  state.plan = { ...plan, gravity: parseGravity("gravity", args, ["sm", "fp"], plan.gravity) };
};

export function extension(name: "extend" | "extendAspectRatio"): Apply {
  return (state, args) => {
    atMost(name, args, 4);
    const [enabled, ...rest] = args;
    const current = state.plan[name];
    const next: Extension = {
      enabled: parseBoolean(enabled),
      gravity:
        rest.length > 0 ? parseGravity(name, rest, ["fp"], current.gravity) : current.gravity,
    };
    state.plan = { ...state.plan, [name]: next };
  };
}

export const crop: Apply = (state, args) => {
  const [widthText, heightText, ...rest] = args;
  const side = (text: string) => parseNumber("crop", text, { min: 0 });
  const current = state.plan.crop;
  state.plan = {
    ...state.plan,
    crop: {
      width: side(widthText),
      height: heightText === undefined ? current.height : side(heightText),
      gravity:
        rest.length > 0
          ? parseGravity("crop", rest, ["sm", "fp"], current.gravity ?? { type: "ce", x: 0, y: 0 })
          : current.gravity,
    },
  };
};

export const trim: Apply = (state, args) => {
  atMost("trim", args, 4);
  const [threshold, color, horizontal, vertical] = args;
  state.plan = {
    ...state.plan,
    trim: threshold
      ? {
          threshold: parseNumber("trim", threshold),
          color: color ? parseHexColor("trim color", color) : null,
          equalHorizontal: parseBoolean(horizontal ?? ""),
          equalVertical: parseBoolean(vertical ?? ""),
        }
      : null,
  };
};

export const padding: Apply = (state, args) => {
  atMost("padding", args, 4);
  const side = (text: string | undefined, other: number) =>
    text ? parseInteger("padding", text, 0) : other;
  const top = side(args[0], state.plan.padding.top);
  const right = side(args[1], top);
  const bottom = side(args[2], top);
  state.plan = {
    ...state.plan,
    padding: { top, right, bottom, left: side(args[3], right) },
  };
};

export const rotate = field("rotate", (text) => {
  const angle = parseInteger("rotate", text, -1e6);
  if (angle % 90 !== 0) throw invalidArgument("rotate", text, "a multiple of 90");
  return { rotate: ((angle % 360) + 360) % 360 };
});

export const flip: Apply = (state, args) => {
  atMost("flip", args, 2);
  const [x, y] = args;
  const { plan } = state;
  state.plan = {
    ...plan,
    flipX: x ? parseBoolean(x) : plan.flipX,
    flipY: y ? parseBoolean(y) : plan.flipY,
  };
};
