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

export const qrCode = defineOperation({
  id: "image/qr-code",
  title: "Make QR code",
  summary: "Make a QR code of a text or a link.",
  accepts: [],
  inputs: { min: 0, max: 0 },
  params: z.strictObject({
    // The most digits that a code holds; of other characters it holds less.
    text: codeText(7089),
    format: codeFormat,
    size: codeSize("Width and height of the image.").default(512),
    margin: codeMargin(
      "Width of the margin in modules, the small squares. Readers need 4.",
    ).default(4),
    ...codeColors,
    error_correction: z
      .enum(errorCorrectionLevels)
      .default("M")
      .describe(
        "How much of the code may be covered or dirty: L (7 %), M (15 %), Q (25 %) or H (30 %). More needs a larger code.",
      ),
  }),
  example: { text: "https://example.com" },
  sample: { params: { text: "https://example.com/menu", color: "#143d59", error_correction: "Q" } },
  produces: (_, { format }) => format,
  runsIn: "worker",
  requires: ["image"],
  async run({ params, work }) {
    const { text, error_correction: eclevel, ...style } = params;
    const symbol = {
      encoder: "qrcode",
      label: "qrcode",
      text,
      options: { eclevel },
      moduleUnits: 2,
    };
    return { outputs: [await drawSymbol(symbol, style, work)] };
  },
});
