import type { Element, Node } from "@xmldom/xmldom";
import { parseXml } from "#lib/formats/office/package/read-package.ts";
import { attribute, child, descendants, numberAttribute } from "#lib/formats/office/package/xml.ts";
import { type PackageEdit, relationshipTypes } from "./package-edit.ts";
import { fitWithin, type Picture, type PictureStore } from "./pictures.ts";
import type { PictureRun } from "./tags/fill-text.ts";
import { closest } from "./tags/split-runs.ts";
import { tagText, templateError } from "./tags/tags.ts";

const drawing = "http://schemas.openxmlformats.org/drawingml/2006";
const presentation = "http://schemas.openxmlformats.org/presentationml/2006/main";

/** A point, of 1/20 of which Word's lengths are multiples, in EMU. */
const emuPerTwip = 635;

/** The text width of A4 with margins of 2.5 cm, in EMU. */
const defaultWidth = 160 * 36_000;

/** Replaces the runs of a part's picture tags by their pictures, or removes them if they are empty. */
export async function placePictures(
  part: string,
  runs: readonly PictureRun[],
  store: PictureStore,
  edit: PackageEdit,
): Promise<void> {
  const ids = new Map<string, string>();
  for (const [index, entry] of runs.entries()) {
    const { run, tag, place, value } = entry;
    const picture = await store.add(value, tag, place);
    if (!picture) {
      run.parentNode?.removeChild(run);
      continue;
    }
    const id = ids.get(picture.part) ?? (await edit.relate(part, "image", picture.part));
    ids.set(picture.part, id);
    const isWord = run.namespaceURI?.includes("wordprocessingml");
    if (isWord) placeInText(run, picture, id, 2e6 + index);
    else placeOnSlide(entry, picture, id, 2e6 + index);
  }
}

function placeInText(run: Element, picture: Picture, id: string, number: number): void {
  const { width: cx, height: cy } = fitWithin(picture, { width: availableWidth(run) });
  const text = child(run, "t");
  const element = parseFragment(
    run,
    `<w:drawing xmlns:w="${run.namespaceURI}" xmlns:wp="${drawing}/wordprocessingDrawing"><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="${cx}" cy="${cy}"/><wp:docPr id="${number}" name="Picture ${number}"/><a:graphic xmlns:a="${drawing}/main"><a:graphicData uri="${drawing}/picture"><pic:pic xmlns:pic="${drawing}/picture"><pic:nvPicPr><pic:cNvPr id="${number}" name="Picture ${number}"/><pic:cNvPicPr/></pic:nvPicPr>${blip("pic", id)}<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>`,
  );
  run.insertBefore(element, text ?? null);
  if (text) run.removeChild(text);
}

/** The width of the cell, or of the text of the page, in EMU. */
function availableWidth(run: Element): number {
  const cell = closest(run, "tc");
  const cellWidth = child(cell, "tcPr", "tcW");
  const twips = numberAttribute(cellWidth, "w");
  // Cells have margins of 0.19 cm on each side by default.
  if (cell && attribute(cellWidth, "type") === "dxa" && twips)
    return Math.max(200, twips - 216) * emuPerTwip;
  const body = closest(run, "body");
  const section = body ? [...descendants(body, "sectPr")].at(-1) : undefined;
  const page = numberAttribute(child(section, "pgSz"), "w");
  const margins = child(section, "pgMar");
  const sides = (numberAttribute(margins, "left") ?? 0) + (numberAttribute(margins, "right") ?? 0);
  return page && page - sides > 200 ? (page - sides) * emuPerTwip : defaultWidth;
}

/** A text box that has nothing else becomes the picture, as large as fits into it. */
function placeOnSlide(
  { run, tag, place }: PictureRun,
  picture: Picture,
  id: string,
  number: number,
): void {
  const shape = closest(run, "sp");
  const box = child(shape, "spPr", "xfrm");
  const offset = child(box, "off");
  const extent = child(box, "ext");
  const left = numberAttribute(offset, "x");
  const top = numberAttribute(offset, "y");
  const width = numberAttribute(extent, "cx");
  const height = numberAttribute(extent, "cy");
  run.parentNode?.removeChild(run);
  if (
    !shape?.parentNode ||
    shape.textContent?.trim() ||
    left === undefined ||
    top === undefined ||
    !width ||
    !height
  ) {
    throw templateError(place, tagText(tag), "a picture needs a text box of its own with a size");
  }
  // The box is the place of the picture, so it is filled, also by a smaller picture.
  const scale = Math.max(width / picture.width, height / picture.height);
  const grown = { width: picture.width * scale, height: picture.height * scale };
  const { width: cx, height: cy } = fitWithin(grown, { width, height });
  const position = `x="${Math.round(left + (width - cx) / 2)}" y="${Math.round(top + (height - cy) / 2)}"`;
  const element = parseFragment(
    run,
    `<p:pic xmlns:p="${presentation}" xmlns:a="${drawing}/main"><p:nvPicPr><p:cNvPr id="${number}" name="Picture ${number}"/><p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr/></p:nvPicPr>${blip("p", id)}<p:spPr><a:xfrm><a:off ${position}/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`,
  );
  shape.parentNode.replaceChild(element, shape);
}

export function blip(prefix: string, id: string): string {
  return `<${prefix}:blipFill><a:blip r:embed="${id}" xmlns:r="${relationshipTypes}"/><a:stretch><a:fillRect/></a:stretch></${prefix}:blipFill>`;
}

/** An element of the document of `near`, from XML. */
export function parseFragment(near: Element, xml: string): Node {
  const root = parseXml(xml, "picture").documentElement;
  const copy = root && near.ownerDocument?.importNode(root, true);
  if (!copy) throw new Error("no element");
  return copy;
}
