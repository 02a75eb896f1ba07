import { PDFDocument, type PDFRef } from "@cantoo/pdf-lib";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { readRegular } from "#lib/files/regular-files.ts";
import { formatNumber } from "#lib/formats/pdf/objects/serialize.ts";
import type { PageView } from "#lib/formats/pdf/structure/page-boxes.ts";
import { layOutSignature, signatureBoxSize } from "./signature-box.ts";

/** Larger letters than those of the text around a field would be odd. */
const maxScale = 1.25;

/**
 * Draws the look of a visible signature, as large as fits into a box of this size in points. The pages of `text` are its
 * texts. Returns the form XObject.
 */
export async function drawAppearance(
  document: PDFDocument,
  text: WorkFile,
  { width, height }: { readonly width: number; readonly height: number },
  /** In degrees, counterclockwise. */
  rotation: PageView["rotation"],
): Promise<PDFRef> {
  const source = await PDFDocument.load(await readRegular(text.path), { updateMetadata: false });
  const natural = signatureBoxSize;
  const layout = layOutSignature(natural);
  const corners = layout.texts.map((box, index) => {
    const top = source.getPage(index).getHeight();
    return { left: 0, right: box.width, bottom: top - box.height, top };
  });
  const drawn = await document.embedPages(source.getPages(), corners);
  for (const page of drawn) await page.embed();
  const places = layout.texts.map(({ left, top, height: own }, index) => {
    return `q 1 0 0 1 ${left} ${natural.height - top - own} cm /Text${index} Do Q`;
  });
  const scale = Math.min(maxScale, width / natural.width, height / natural.height);
  const across = (width - natural.width * scale) / 2;
  const up = (height - natural.height * scale) / 2;
  const placement = [scale, 0, 0, scale, across, up].map(formatNumber).join(" ");
  const content = [`q ${placement} cm`, layout.frame, ...places, "Q"];
  const [w, h] = rotation % 180 === 0 ? [width, height] : [height, width];
  const matrix = {
    0: [1, 0, 0, 1, 0, 0],
    90: [0, 1, -1, 0, w, 0],
    180: [-1, 0, 0, -1, w, h],
    270: [0, -1, 1, 0, 0, h],
  };
  const names = drawn.map(({ ref }, index) => [`Text${index}`, ref] as const);
  const stream = document.context.flateStream(content.join("\n"), {
    Type: "XObject",
    Subtype: "Form",
    BBox: [0, 0, width, height],
    Matrix: matrix[rotation],
    Resources: { XObject: Object.fromEntries(names) },
  });
  return document.context.register(stream);
}
