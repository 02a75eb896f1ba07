import { z } from "zod";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { normalizeToPng } from "#lib/engines/worker/image/image-info.ts";
import type { InputFile } from "#lib/engines/worker/operation.ts";
import { defineOperation } from "../../define.ts";
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
import { printText } from "./print-text.ts";

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
  pages: pageSelection("Pages to watermark", { more: "The default is all pages." }).optional(),
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
      insteadOf: "text",
      description:
        "The image to draw instead of a text, or a PDF, whose first page is drawn. Transparency is kept.",
    },
  },
  example: { text: "DRAFT", opacity: 0.25 },
  sample: { input: "contract.pdf", params: { text: "DRAFT", opacity: 0.25 } },
  produces: () => "pdf",
  live: "page",
  runsIn: "runner",
  requires: ["qpdf", "chromium"],
  async run({ input, files, params, work, signal }) {
    const { position, opacity, scale, pages, angle, layer, text, color } = params;
    const { watermark } = files;
    const options: WatermarkOptions = {
      anchor: anchorOf(position),
      opacity,
      scale,
      margin: marginShare,
      angle: angle ?? (text === undefined ? 0 : defaultTextAngle),
      layer,
      isFile: watermark !== undefined,
      ...(pages === undefined ? {} : { pages }),
    };
    const isImage = watermark !== undefined && watermark.type.id !== "pdf";
    const drawn = watermark
      ? await prepareFile(watermark, work, signal)
      : await printText({ text: text ?? "", color }, work, signal);
    const { outputs, warnings } = await rewritePdf(isImage ? drawWatermark : drawPage, {
      inputs: [input],
      options,
      files: [drawn],
      work,
      signal,
    });
    return { outputs, warnings };
  },
});

/** An image as an upright PNG, or a normalized PDF. */
async function prepareFile(
  file: InputFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  if (file.type.id === "pdf") return normalizePdf(file, work, signal, { plainFilters: true });
  return (await normalizeToPng(file, work, signal)).file;
}
