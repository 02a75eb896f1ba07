import { z } from "zod";
import { defineOperation } from "../../define.ts";
import {
  codeColors,
  codeFormat,
  codeMargin,
  codeSize,
  codeText,
  errorCorrectionLevels,
} from "../../fields/index.ts";
import { drawSymbol } from "../../shared/image/draw-symbol.ts";
import { buildSymbol, correctableTypes, defaultMargin } from "./build-symbol.ts";
import { type BarcodeType, barcodeTypeNames, barcodeTypes } from "./types.ts";

export const barcode = defineOperation({
  id: "image/barcode",
  title: "Make barcode",
  summary: "Make a barcode of any common type.",
  accepts: [],
  inputs: { min: 0, max: 0 },
  params: z
    .strictObject({
      type: z.enum(barcodeTypeNames).describe("Type of the code."),
      text: codeText(3000),
      format: codeFormat,
      size: codeSize(
        "Width of the image. The height follows from the type. The default has 4 pixels for the thinnest bar, or 8 for a square.",
      ).optional(),
      margin: codeMargin(
        "Width of the margin in modules, the thinnest bars or the small squares. The default is what readers of the type need.",
      ).optional(),
      ...codeColors,
      error_correction: z
        .enum(errorCorrectionLevels)
        .optional()
        .describe(
          "How much of a qrcode, aztec or pdf417 code may be covered or dirty: L (least), M, Q or H (most). The default is what the type recommends.",
        ),
    })
    .superRefine(({ type, text, error_correction: level }, context) => {
      const { pattern, allowed }: BarcodeType = barcodeTypes[type];
      if (!pattern.test(text)) {
        context.addIssue({ code: "custom", path: ["text"], message: `must be ${allowed}` });
      }
      if (level !== undefined && !correctableTypes.has(type)) {
        const message = `is only for ${[...correctableTypes].join(", ")}`;
        context.addIssue({ code: "custom", path: ["error_correction"], message });
      }
    }),
  example: { type: "code128", text: "MILL-2041" },
  sample: { params: { type: "ean13", text: "4006381333931" } },
  produces: (_, { format }) => format,
  runsIn: "worker",
  requires: ["image"],
  async run({ params, work }) {
    const { type, text, error_correction: level, margin, ...style } = params;
    const symbol = buildSymbol(type, text, level);
    const drawn = { ...style, margin: margin ?? defaultMargin(type) };
    return { outputs: [await drawSymbol(symbol, drawn, work)] };
  },
});
