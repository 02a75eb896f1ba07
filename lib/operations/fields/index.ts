import { z } from "zod";
import { fileLimits } from "#lib/limits/limits.ts";
import { type MediaTypeId, mediaTypesOf } from "#lib/media/types.ts";

export { parseColor, type Rgba } from "#lib/media/color.ts";

/** Parameters and accepted types that several operations share, so that they agree. */

export const rasterImages = [
  "jpeg",
  "png",
  "webp",
  "gif",
  "avif",
  "tiff",
] as const satisfies MediaTypeId[];

export const videos = mediaTypesOf("video");

/** Sound, or a video that has some. */
export const sounds = [...mediaTypesOf("audio"), ...videos];

export const officeDocuments = [
  "docx",
  "xlsx",
  "pptx",
  "odt",
  "ods",
  "odp",
  "doc",
  "xls",
  "ppt",
  "rtf",
  "txt",
  "csv",
] as const satisfies MediaTypeId[];

export const positions = [
  "top-left",
  "top",
  "top-right",
  "left",
  "center",
  "right",
  "bottom-left",
  "bottom",
  "bottom-right",
] as const;

export type Position = (typeof positions)[number];

/** Between what is drawn and the edge, as a share of the shorter side. */
export const marginShare = 0.03;

export const position = z.enum(positions).default("bottom-right").describe("Where it is placed.");

export function opacity(initial: number) {
  return z.number().min(0).max(1).default(initial).describe("0 is invisible, 1 is solid.");
}

// Without a flag, so that the pattern says the same in JSON Schema, which has none.
const colorPattern = /^(?:#|0[xX])(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/;

/** `#rgb`, `#rrggbb`, `#rrggbbaa` or `0xRRGGBB`. */
export function color(initial: string) {
  return z
    .string()
    .regex(colorPattern, "must be a hex colour such as #ffffff")
    .default(initial)
    .describe("Hex colour: #rgb, #rrggbb, #rrggbbaa or 0xRRGGBB.");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const controlCharacters = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;

/** Text to draw, in any script: data, never markup. Line breaks allowed; CRLF is read as LF. */
export const drawnText = z
  .string()
  .overwrite((text) => text.replaceAll("\r\n", "\n"))
  .min(1)
  .max(fileLimits.drawnText.most)
  .refine(
    (text) => !controlCharacters.test(text),
    "must not contain control characters other than line breaks",
  )
  .refine((text) => text.isWellFormed(), "must be valid Unicode")
  .describe("The text to draw, in any script, 1 to 500 characters. Line breaks are kept.");
