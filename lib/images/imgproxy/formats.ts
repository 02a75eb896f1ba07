import { PictureError } from "../plan/errors.ts";
import type { PictureFormat } from "../plan/plan.ts";
import { invalidArgument } from "./numbers.ts";

/** The names of formats in URLs. */
export const formatNames: Readonly<Record<string, PictureFormat>> = {
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

/** The format of a source, which may be one that no picture is written in. Throws `PictureError`. */
export function parseSourceFormat(text: string): string {
  if (otherFormats.includes(text)) return text;
  return parseFormat(text);
}
