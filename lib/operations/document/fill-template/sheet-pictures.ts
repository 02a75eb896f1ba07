import { readRelationships } from "#lib/formats/office/package/relationships.ts";
import { attribute, child, children } from "#lib/formats/office/package/xml.ts";
import { type PackageEdit, relationshipTypes } from "./package-edit.ts";
import type { PictureStore } from "./pictures.ts";
import { blip, parseFragment } from "./place-picture.ts";
import type { PictureCell } from "./sheets/fill-sheet.ts";
import { columnNumber } from "./sheets/references.ts";
import { createLike } from "./tags/fill-text.ts";

const drawing = "http://schemas.openxmlformats.org/drawingml/2006";

/** The elements of a sheet that come after its drawing. */
const followers = [
  "legacyDrawing",
  "legacyDrawingHF",
  "drawingHF",
  "picture",
  "oleObjects",
  "controls",
  "webPublishItems",
  "tableParts",
  "extLst",
];

/** Puts pictures over the cells of a sheet, in the size that they have. */
export async function placeSheetPictures(
  part: string,
  cells: readonly PictureCell[],
  store: PictureStore,
  edit: PackageEdit,
): Promise<void> {
  let target: string | undefined;
  for (const [index, { value, tag, place, cell }] of cells.entries()) {
    const picture = await store.add(value, tag, place);
    if (!picture) continue;
    target ??= await drawingOf(part, edit);
    const root = await edit.root(target);
    const id = await edit.relate(target, "image", picture.part);
    const [, letters = "A", digits = "1"] = /^([A-Z]+)(\d+)$/.exec(cell) ?? [];
    const size = `cx="${Math.round(picture.width)}" cy="${Math.round(picture.height)}"`;
    const number = 2e6 + index;
    root.appendChild(
      parseFragment(
        root,
        `<xdr:oneCellAnchor xmlns:xdr="${drawing}/spreadsheetDrawing" xmlns:a="${drawing}/main"><xdr:from><xdr:col>${columnNumber(letters) - 1}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${Number(digits) - 1}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext ${size}/><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${number}" name="Picture ${number}"/><xdr:cNvPicPr/></xdr:nvPicPr>${blip("xdr", id)}<xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/></xdr:oneCellAnchor>`,
      ),
    );
  }
}

/** The drawing of a sheet; a new one if it has none. */
async function drawingOf(part: string, edit: PackageEdit): Promise<string> {
  const root = await edit.root(part);
  const existing = attribute(child(root, "drawing"), "id");
  const known = existing && (await readRelationships(edit.source, part)).get(existing)?.target;
  if (known) return known;
  let number = 1;
  while (edit.has(`xl/drawings/template-drawing-${number}.xml`)) number++;
  const name = `xl/drawings/template-drawing-${number}.xml`;
  edit.add(name, `<xdr:wsDr xmlns:xdr="${drawing}/spreadsheetDrawing" xmlns:a="${drawing}/main"/>`);
  await edit.declare({ part: name }, "application/vnd.openxmlformats-officedocument.drawing+xml");
  const element = createLike(root, "drawing");
  element.setAttributeNS(relationshipTypes, "r:id", await edit.relate(part, "drawing", name));
  const next = children(root).find(({ localName }) => followers.includes(localName ?? ""));
  root.insertBefore(element, next ?? null);
  return name;
}
