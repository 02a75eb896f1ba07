import { invalidUrl, PictureError } from "../plan/errors.ts";
import { parseFormat } from "./formats.ts";
import { background, blur, sharpen, watermark, watermarkUrl } from "./look-options.ts";
import { parseBoolean, parseInteger, parseNumber } from "./numbers.ts";
import { type Apply, type Arguments, field, type OptionState } from "./option.ts";
import {
  attachment,
  cacheBuster,
  expires,
  filename,
  formatQuality,
  skipProcessing,
} from "./result-options.ts";
import {
  crop,
  enlarge,
  extension,
  flip,
  gravity,
  height,
  padding,
  pixels,
  resize,
  resizingType,
  rotate,
  size,
  trim,
  width,
  zoom,
} from "./size-options.ts";

/** The processing options of imgproxy's URLs, by their names. */

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
  [pixels("minWidth", "min-width"), "min-width", "min_width", "mw"],
  [pixels("minHeight", "min-height"), "min-height", "min_height", "mh"],
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
  [blur, "blur", "bl"],
  [sharpen, "sharpen", "sh"],
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
