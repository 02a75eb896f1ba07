import { z } from "zod";
import { color } from "./color.ts";

/** Parameters of operations that draw barcodes. */

/** Levels of QR codes, by the share of the code that may be unreadable. */
export const errorCorrectionLevels = ["L", "M", "Q", "H"] as const;

export type ErrorCorrection = (typeof errorCorrectionLevels)[number];

/** The content of a code. */
export function codeText(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => text.isWellFormed() && !text.includes("\0"), "must be valid Unicode text")
    .meta({ description: "The content of the code.", control: "textarea" });
}

export const codeFormat = z
  .enum(["png", "svg"])
  .default("png")
  .describe("Format of the image; svg can be scaled to any size.");

/** Width of the image of a code. */
export function codeSize(description: string) {
  return z.number().int().min(16).max(8192).meta({ description, unit: "px" });
}

/** The empty area around a code, without which readers do not find it. */
export function codeMargin(description: string) {
  return z.number().int().min(0).max(100).meta({ description });
}

export const codeColors = {
  color: color("#000000").meta({
    description: "Color of the code: #rgb, #rrggbb, #rrggbbaa or 0xRRGGBB.",
  }),
  background: color("#ffffff").meta({
    description:
      "Color behind the code, which should be much brighter: #rgb, #rrggbb, #rrggbbaa or 0xRRGGBB. #ffffff00 is transparent.",
  }),
};
