import { z } from "zod";
import { normalizeToPng } from "#lib/engines/worker/image/image-info.ts";
import { renderText } from "#lib/engines/worker/image/render-text.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation, type OperationContext } from "../../define.ts";
import {
  anchorOf,
  color,
  images,
  marginShare,
  opacity,
  pageSelection,
  position,
  renderedText,
} from "../../fields/index.ts";
import { normalizePdf } from "../../shared/pdf/normalize-pdf.ts";
import type { WatermarkOptions } from "../../shared/pdf/overlay/tasks.ts";
import { drawPage, drawWatermark } from "../../shared/pdf/overlay/worker-functions.ts";
import { rewritePdf } from "../../shared/pdf/rewrite.ts";

/** Text is drawn with this font size, in pixels, and then scaled to the page: about 300 dpi on A4. */
const fontSize = 400;
const maxTextSide = 3000;

/** Text across the page rises to the right, so that it crosses the lines. */
const defaultTextAngle = -45;

const params = z.strictObject({
  text: renderedText.optional().meta({
    description: "Text to draw, in any script, 1 to 500 characters. Leave it out for an image.",
    control: "textarea",
  }),
  position: position("center"),
  opacity: opacity(0.3),
  angle: z.number().min(-360).max(360).optional().meta({
    description:
      "Degrees to rotate the watermark clockwise. The default is -45 for text and 0 for an image.",
    unit: "°",
  }),
  scale: z.number().min(0.01).max(1).default(0.6).meta({
    description:
      "Width of the watermark before it is rotated, as a share of the page's width. It is smaller if it would not fit.",
    control: "slider",
  }),
  color: color("#808080"),
  layer: z
    .enum(["over", "under"])
    .default("over")
    .describe("Whether the watermark is drawn over the content of a page, or under it."),
  pages: pageSelection(
    "Pages to watermark, such as 1-3,5,8-last. The default is all pages.",
  ).optional(),
});

export const watermarkPdf = defineOperation({
  id: "document/watermark-pdf",
  title: "Watermark PDF",
  summary: "Draw a text, an image or the page of another PDF over or under the pages of a PDF.",
  accepts: ["pdf"],
  params,
  files: {
    watermark: {
      accepts: [...images, "pdf"],
      required: false,
      description:
        "The image to draw instead of a text, or a PDF, whose first page is drawn. Transparency is kept.",
    },
  },
  example: { text: "DRAFT", opacity: 0.25 },
  sample: { input: "contract.pdf", params: { text: "DRAFT", opacity: 0.25 } },
  produces: () => "pdf",
  live: "page",
  runsIn: "runner",
  requires: ["qpdf"],
  async run(context) {
    const { input, params, work, signal } = context;
    const { position, opacity, scale, pages, angle, layer } = params;
    const isText = params.text !== undefined;
    const options: WatermarkOptions = {
      anchor: anchorOf(position),
      opacity,
      scale,
      margin: marginShare,
      angle: angle ?? (isText ? defaultTextAngle : 0),
      layer,
      ...(pages === undefined ? {} : { pages }),
    };
    const source = context.files.watermark;
    const isPdf = source?.type.id === "pdf" && !isText;
    const drawn = isPdf ? await normalizePdf(source, work, signal) : await prepareImage(context);
    const { outputs, warnings } = await rewritePdf(isPdf ? drawPage : drawWatermark, {
      inputs: [input],
      options,
      files: [drawn],
      work,
      signal,
    });
    return { outputs, warnings };
  },
});

/** The watermark as an upright PNG. */
async function prepareImage({
  files,
  params: { text, color },
  work,
  signal,
}: OperationContext<z.output<typeof params>>) {
  const { watermark } = files;
  if ((text === undefined) === (watermark === undefined)) {
    throw new JobError("empty", "Set either `text` or `watermark`.");
  }
  if (watermark) return (await normalizeToPng(watermark, work, signal)).file;
  const size = { fontSize, maxWidth: maxTextSide, maxHeight: maxTextSide };
  const style = { color, opacity: 1, align: "center" } as const;
  return (await renderText({ text: text ?? "", ...size, ...style }, work, signal)).file;
}
