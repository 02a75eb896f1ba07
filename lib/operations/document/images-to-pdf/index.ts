import { rename } from "node:fs/promises";
import { z } from "zod";
import { defineOperation } from "../../define.ts";
import { images } from "../../fields/index.ts";
import { hasContentArea, margin, parseMargin, parsePageSize } from "../../fields/page/paper.ts";
import { drawingSize, imagesToPdf as makePdf } from "../../shared/to-pdf/file-to-pdf.ts";
import type { ImageLayout } from "../../shared/to-pdf/image-pages.ts";

const isFit = (text: string) => text.trim().toLowerCase() === "fit";

const params = z
  .strictObject({
    page_size: z
      .string()
      .max(50)
      .refine((text) => isFit(text) || parsePageSize(text) !== undefined, {
        error:
          "must be fit, A0 to A6, Letter, Legal, Tabloid, Ledger, or width x height with units, such as 210mmx297mm, each from 10mm to 200in",
      })
      .default("fit")
      .describe(
        "fit (each page is as large as its image, at the resolution that the file declares, or else 96 pixels per inch), A0 to A6, Letter, Legal, Tabloid, Ledger, or width x height with units (mm, cm, in, px, pt). Pages are turned for landscape images.",
      ),
    margin: margin("0"),
  })
  .refine(({ page_size, margin }) => hasRoom(page_size, margin), {
    path: ["margin"],
    error: "must leave at least 5mm of the page in width and height",
  });

export const imagesToPdf = defineOperation({
  id: "document/images-to-pdf",
  title: "Images to PDF",
  summary: "Make a PDF of images, one on each page, without encoding JPEG and PNG files again.",
  accepts: images,
  inputs: { min: 1, max: 100 },
  params,
  example: { page_size: "A4", margin: "10mm" },
  sample: {
    inputs: ["photo.jpg", "receipt.jpg", "label.jpg"],
    params: { page_size: "A4", margin: "1cm" },
  },
  produces: () => "pdf",
  drawingSize: () => drawingSize,
  runsIn: "runner",
  requires: ["image"],
  async run({ inputs, params, work, signal, progress }) {
    const { file, pages } = await makePdf(inputs, toLayout(params), work, signal, progress);
    const output = work.output("pdf");
    await rename(file.path, output.path);
    return { outputs: [{ ...output, pages }] };
  },
});

const pointsPerInch = 72;

function toLayout({ page_size, margin }: z.output<typeof params>): ImageLayout {
  const margins = parseMargin(margin);
  if (!margins) throw new Error("the margin was not validated");
  const top = margins.top * pointsPerInch;
  const right = margins.right * pointsPerInch;
  const bottom = margins.bottom * pointsPerInch;
  const left = margins.left * pointsPerInch;
  const size = isFit(page_size) ? undefined : parsePageSize(page_size);
  const page = size && {
    width: size.width * pointsPerInch,
    height: size.height * pointsPerInch,
  };
  return { ...(page ? { page } : {}), margin: { top, right, bottom, left }, frames: "all" };
}

/**
 * Whether the margins leave room on the page, upright and turned. It is also true if the size or
 * the margins are invalid, for one error message only.
 */
function hasRoom(sizeText: string, marginText: string): boolean {
  const margins = parseMargin(marginText);
  const size = isFit(sizeText) ? { width: 200, height: 200 } : parsePageSize(sizeText);
  if (!margins || !size) return true;
  const turned = { width: size.height, height: size.width };
  return hasContentArea(size, margins) && hasContentArea(turned, margins);
}
