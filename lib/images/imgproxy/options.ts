import { invalidUrl, PictureError } from "../plan/errors.ts";
import {
  type Delivery,
  type Extension,
  edgeGravities,
  type Gravity,
  type ImagePlan,
  type PictureFormat,
  resizeTypes,
  type Watermark,
} from "../plan/plan.ts";
import {
  decodeBase64,
  invalidArgument,
  parseBoolean,
  parseHexColor,
  parseInteger,
  parseNumber,
} from "./numbers.ts";

/** The processing options of imgproxy's URLs. */

/** What the options have set so far. */
export interface OptionState {
  plan: ImagePlan;
  delivery: Delivery;
}

type Arguments = readonly [string, ...string[]];

/** Changes the state by an option. Throws `PictureError` for arguments that are not allowed. */
type Apply = (state: OptionState, args: Arguments) => void;

const formatNames: Readonly<Record<string, PictureFormat>> = {
  jpg: "jpeg",
  jpeg: "jpeg",
  png: "png",
  webp: "webp",
  avif: "avif",
  gif: "gif",
  tiff: "tiff",
  jxl: "jxl",
  heic: "heic",
  bmp: "bmp",
  ico: "ico",
};

/** imgproxy knows it, but no picture is written in it. */
const otherFormats = ["svg"];

/** The format of this name. Throws `PictureError`. */
export function parseFormat(text: string): PictureFormat {
  if (Object.hasOwn(formatNames, text)) return formatNames[text] as PictureFormat;
  if (otherFormats.includes(text)) {
    throw new PictureError(422, `Pictures cannot be written as ${text}.`);
  }
  throw invalidArgument("format", text, "an image format");
}

function parseSourceFormat(text: string): string {
  if (otherFormats.includes(text)) return text;
  return parseFormat(text);
}

function atMost(name: string, args: readonly string[], count: number): void {
  if (args.length > count) throw invalidUrl(`${name} has at most ${count} arguments`);
}

/** An option with one argument that sets one field of the plan. */
function field(name: string, read: (text: string) => Partial<ImagePlan>): Apply {
  return (state, args) => {
    atMost(name, args, 1);
    state.plan = { ...state.plan, ...read(args[0]) };
  };
}

const pixels = (name: "width" | "height" | "minWidth" | "minHeight") =>
  field(name, (text) => ({ [name]: parseInteger(name, text, 0) }));

const width = pixels("width");
const height = pixels("height");
const enlarge = field("enlarge", (text) => ({ enlarge: parseBoolean(text) }));

const resizingType = field("resizing_type", (text) => {
  const resize = resizeTypes.find((type) => type === text);
  if (!resize) throw invalidArgument("resizing_type", text, `one of ${resizeTypes.join(", ")}`);
  return { resize };
});

/** Applies `apply` to an argument that is given. */
function optional(apply: Apply, state: OptionState, text: string | undefined): void {
  if (text) apply(state, [text]);
}

const size: Apply = (state, args) => {
  atMost("size", args, 7);
  optional(width, state, args[0]);
  optional(height, state, args[1]);
  optional(enlarge, state, args[2]);
  const [extended, ...rest] = args.slice(3);
  if (extended) extension("extend")(state, [extended, ...rest]);
};

const resize: Apply = (state, args) => {
  atMost("resize", args, 8);
  optional(resizingType, state, args[0]);
  const [first, ...rest] = args.slice(1);
  if (first !== undefined) size(state, [first, ...rest]);
};

const zoom: Apply = (state, args) => {
  atMost("zoom", args, 2);
  const [zoomX, zoomY = zoomX] = args.map((text) =>
    parseNumber("zoom", text, { min: 0, max: 100, isAbove: true }),
  );
  state.plan = { ...state.plan, zoomX: zoomX ?? 1, zoomY: zoomY ?? 1 };
};

/** Which gravities an option allows besides the edges. */
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

const gravity: Apply = (state, args) => {
  const { plan } = state;
  state.plan = { ...plan, gravity: parseGravity("gravity", args, ["sm", "fp"], plan.gravity) };
};

function extension(name: "extend" | "extendAspectRatio"): Apply {
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

const crop: Apply = (state, args) => {
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

const trim: Apply = (state, args) => {
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

const padding: Apply = (state, args) => {
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

const rotate = field("rotate", (text) => {
  const angle = parseInteger("rotate", text, -1e6);
  if (angle % 90 !== 0) throw invalidArgument("rotate", text, "a multiple of 90");
  return { rotate: ((angle % 360) + 360) % 360 };
});

const flip: Apply = (state, args) => {
  atMost("flip", args, 2);
  const [x, y] = args;
  const { plan } = state;
  state.plan = {
    ...plan,
    flipX: x ? parseBoolean(x) : plan.flipX,
    flipY: y ? parseBoolean(y) : plan.flipY,
  };
};

const background: Apply = (state, args) => {
  if (args.length === 1) {
    const color = args[0] === "" ? null : parseHexColor("background", args[0]);
    state.plan = { ...state.plan, background: color };
    return;
  }
  if (args.length !== 3) throw invalidUrl("background has one argument or three");
  const [r = 0, g = 0, b = 0] = args.map((text) => parseInteger("background", text, 0, 255));
  state.plan = { ...state.plan, background: { r, g, b } };
};

/** The most that a filter takes: its time grows with it. */
const maxSigma = 300;

const sigma = (name: "blur" | "sharpen", max: number) =>
  field(name, (text) => ({ [name]: Math.min(max, parseNumber(name, text, { min: 0 })) }));

const noWatermark: Watermark = { opacity: 0, position: "ce", x: 0, y: 0, scale: 0, url: null };

const watermark: Apply = (state, args) => {
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

const watermarkUrl: Apply = (state, args) => {
  atMost("watermark_url", args, 1);
  const url = args[0] === "" ? null : decodeBase64("watermark_url", args[0]);
  state.plan = { ...state.plan, watermark: { ...(state.plan.watermark ?? noWatermark), url } };
};

const formatQuality: Apply = (state, args) => {
  if (args.length % 2 !== 0) throw invalidUrl("format_quality has pairs of format and quality");
  const qualities: Partial<Record<PictureFormat, number>> = { ...state.plan.formatQuality };
  for (let index = 0; index < args.length; index += 2) {
    const format = parseSourceFormat(args[index] ?? "");
    const quality = parseInteger("format_quality", args[index + 1] ?? "", 0, 100);
    if (Object.hasOwn(formatNames, format)) qualities[format as PictureFormat] = quality;
  }
  state.plan = { ...state.plan, formatQuality: qualities };
};

const skipProcessing: Apply = (state, args) => {
  const formats = [...state.plan.skipProcessing, ...args.map(parseSourceFormat)];
  state.plan = { ...state.plan, skipProcessing: [...new Set(formats)] };
};

const cacheBuster = field("cachebuster", (text) => ({ cacheBuster: text }));

const filename: Apply = (state, args) => {
  atMost("filename", args, 2);
  const [text, isEncoded] = args;
  const name = parseBoolean(isEncoded ?? "") ? decodeBase64("filename", text) : text;
  state.delivery = { ...state.delivery, filename: name };
};

const expires: Apply = (state, args) => {
  atMost("expires", args, 1);
  const time = parseInteger("expires", args[0], -1e12, 1e12);
  if (time > 0 && time < Math.floor(Date.now() / 1000)) throw invalidUrl("it has expired");
  state.delivery = { ...state.delivery, expires: Math.max(0, time) };
};

const attachment: Apply = (state, args) => {
  atMost("return_attachment", args, 1);
  state.delivery = { ...state.delivery, isAttachment: parseBoolean(args[0]) };
};

/** An option that has no effect here, such as one for thumbnails of HEIC files. */
const flag = (name: string): Apply => field(name, () => ({}));

const securityOption: Apply = () => {
  throw new PictureError(403, "Options of security are not allowed in URLs.");
};

/** Each option with its names. */
const table: readonly (readonly [Apply, ...string[]])[] = [
  [resize, "resize", "rs"],
  [size, "size", "s"],
  [resizingType, "resizing_type", "rt"],
  [width, "width", "w"],
  [height, "height", "h"],
  [pixels("minWidth"), "min-width", "min_width", "mw"],
  [pixels("minHeight"), "min-height", "min_height", "mh"],
  [zoom, "zoom", "z"],
  [
    field("dpr", (text) => ({
      dpr: parseNumber("dpr", text, { min: 0, max: 100, isAbove: true }),
    })),
    "dpr",
  ],
  [enlarge, "enlarge", "el"],
  [extension("extend"), "extend", "ex"],
  [extension("extendAspectRatio"), "extend_aspect_ratio", "extend_ar", "exar"],
  [gravity, "gravity", "g"],
  [crop, "crop", "c"],
  [trim, "trim", "t"],
  [padding, "padding", "pd"],
  [field("auto_rotate", (text) => ({ autoRotate: parseBoolean(text) })), "auto_rotate", "ar"],
  [rotate, "rotate", "rot"],
  [flip, "flip", "fl"],
  [background, "background", "bg"],
  [sigma("blur", maxSigma), "blur", "bl"],
  [sigma("sharpen", 10), "sharpen", "sh"],
  [
    field("pixelate", (text) => ({ pixelate: parseInteger("pixelate", text, 0) })),
    "pixelate",
    "pix",
  ],
  [watermark, "watermark", "wm"],
  [watermarkUrl, "watermark_url", "wmu"],
  [
    field("strip_metadata", (text) => ({ stripMetadata: parseBoolean(text) })),
    "strip_metadata",
    "sm",
  ],
  [
    field("keep_copyright", (text) => ({ keepCopyright: parseBoolean(text) })),
    "keep_copyright",
    "kcr",
  ],
  [
    field("strip_color_profile", (text) => ({ stripColorProfile: parseBoolean(text) })),
    "strip_color_profile",
    "scp",
  ],
  [flag("preserve_hdr"), "preserve_hdr", "ph"],
  [flag("enforce_thumbnail"), "enforce_thumbnail", "eth"],
  [
    field("quality", (text) => ({ quality: parseInteger("quality", text, 0, 100) })),
    "quality",
    "q",
  ],
  [formatQuality, "format_quality", "fq"],
  [
    field("max_bytes", (text) => ({ maxBytes: parseInteger("max_bytes", text, 0, 1e9) })),
    "max_bytes",
    "mb",
  ],
  [field("format", (text) => ({ format: parseFormat(text) })), "format", "f", "ext"],
  [skipProcessing, "skip_processing", "skp"],
  [field("raw", (text) => ({ raw: parseBoolean(text) })), "raw"],
  [field("page", (text) => ({ page: parseInteger("page", text, 0, 100_000 - 1) })), "page", "pg"],
  [
    field("video_thumbnail_second", (text) => ({
      second: parseNumber("video_thumbnail_second", text, { min: 0 }),
    })),
    "video_thumbnail_second",
    "vts",
  ],
  [cacheBuster, "cachebuster", "cb"],
  [expires, "expires", "exp"],
  [filename, "filename", "fn"],
  [attachment, "return_attachment", "att"],
  [securityOption, "max_src_resolution", "msr"],
  [securityOption, "max_src_file_size", "msfs"],
  [securityOption, "max_animation_frames", "maf"],
  [securityOption, "max_animation_frame_resolution", "mafr"],
  [securityOption, "max_result_dimension", "mrd"],
];

const byName: ReadonlyMap<string, Apply> = new Map(
  table.flatMap(([apply, ...names]) => names.map((name) => [name, apply] as const)),
);

/** The names of all options but `preset`. */
export const optionNames: readonly string[] = [...byName.keys()];

/** Changes the state by the option of this name. Throws `PictureError` if there is none. */
export function applyOption(state: OptionState, name: string, args: Arguments): void {
  const apply = byName.get(name);
  if (!apply) throw invalidUrl(`unknown option ${JSON.stringify(name.slice(0, 40))}`);
  apply(state, args);
}
