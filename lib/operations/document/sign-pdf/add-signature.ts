import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { collectFields, key, type RawField } from "#lib/formats/pdf/forms/collect-fields.ts";
import { widgetRotation } from "#lib/formats/pdf/forms/widget-style.ts";
import {
  fromPageBox,
  type PageBox,
  readCorners,
  viewOf,
} from "#lib/formats/pdf/structure/page-boxes.ts";
import { DamagedDataError } from "#lib/media/damaged-data.ts";
import { drawAppearance } from "./draw-appearance.ts";

/** The signature of a document before it is signed, with room for the byte range and the signature. */

export interface NewSignature {
  readonly name: string;
  readonly time: Date;
  readonly reason: string | null;
  readonly location: string | null;
  /** Where a new field is; null for one that is not visible. */
  readonly place: { readonly page: number; readonly box: PageBox } | null;
  /** The pages of this PDF are the texts of the visible signature. */
  readonly text: WorkFile | undefined;
  /** A field of the form that waits for a signature, in which a visible one is drawn. */
  readonly field: RawField | undefined;
  readonly contentsBytes: number;
}

export interface AddedSignature {
  /** The objects that are new or changed. */
  readonly changed: readonly PDFRef[];
  /** The signature dictionary. */
  readonly ref: PDFRef;
}

/** A number as wide as the offset of any byte of a file. */
const widestOffset = 9_999_999_999;

export async function addSignature(
  document: PDFDocument,
  signature: NewSignature,
): Promise<AddedSignature> {
  const { context } = document;
  const ref = context.register(signatureDictionary(document, signature));
  const changed = new Set<PDFRef>([ref]);
  const before = context.largestObjectNumber;
  const widget = signature.field?.widgets[0];
  if (signature.field && widget?.ref) {
    signature.field.dict.set(key("V"), ref);
    changed.add(widget.ref);
    const fieldRef = context.getObjectRef(signature.field.dict);
    if (fieldRef) changed.add(fieldRef);
    if (signature.text) await drawInField(document, widget.dict, signature.text);
  } else {
    await addField(document, signature, ref, changed);
  }
  setFlags(document, changed);
  for (let number = before + 1; number <= context.largestObjectNumber; number++) {
    changed.add(PDFRef.of(number));
  }
  return { changed: [...changed], ref };
}

/** The flags Invisible, Hidden and NoView, and Print and Locked (ISO 32000-1, 12.5.3). */
const hiddenFlags = 1 | 2 | 32;
const shownFlags = 4 | 128;

/** Draws the signature in the direction of the field, as its other contents would be. */
async function drawInField(document: PDFDocument, dict: PDFDict, text: WorkFile): Promise<void> {
  const corners = readCorners(dict, key("Rect"));
  if (!corners) return;
  const angle = widgetRotation(dict);
  const w = corners[2] - corners[0];
  const h = corners[3] - corners[1];
  const size = angle % 180 === 0 ? { width: w, height: h } : { width: h, height: w };
  const appearance = await drawAppearance(document, text, size, angle);
  dict.set(key("AP"), document.context.obj({ N: appearance }));
  const given = dict.lookup(key("F"));
  const flags = given instanceof PDFNumber ? given.asNumber() : 0;
  dict.set(key("F"), PDFNumber.of((flags & ~hiddenFlags) | shownFlags));
}

function signatureDictionary({ context }: PDFDocument, signature: NewSignature): PDFDict {
  const { name, time, reason, location, contentsBytes } = signature;
  const dict = context.obj({
    Type: "Sig",
    Filter: "Adobe.PPKLite",
    SubFilter: "ETSI.CAdES.detached",
    ByteRange: [0, widestOffset, widestOffset, widestOffset],
    Contents: PDFHexString.of("0".repeat(2 * contentsBytes)),
    M: PDFString.of(`D:${time.toISOString().slice(0, 19).replace(/\D/g, "")}Z`),
    Name: PDFHexString.fromText(name),
  });
  if (reason !== null) dict.set(key("Reason"), PDFHexString.fromText(reason));
  if (location !== null) dict.set(key("Location"), PDFHexString.fromText(location));
  return dict;
}

async function addField(
  document: PDFDocument,
  signature: NewSignature,
  value: PDFRef,
  changed: Set<PDFRef>,
): Promise<void> {
  const { context } = document;
  const { place } = signature;
  const pages = document.getPages();
  const page = pages[(place?.page ?? 1) - 1];
  if (!page) throw new Error("the page of the signature does not exist");
  const view = viewOf(page);
  const widget = context.obj({
    Type: "Annot",
    Subtype: "Widget",
    FT: "Sig",
    F: 132,
    P: page.ref,
    V: value,
    Rect: place ? [...fromPageBox(place.box, view)] : [0, 0, 0, 0],
    T: PDFHexString.fromText(freeName(document)),
  });
  if (place && signature.text) {
    widget.set(key("MK"), context.obj({ R: view.rotation }));
    const appearance = await drawAppearance(document, signature.text, place.box, view.rotation);
    widget.set(key("AP"), context.obj({ N: appearance }));
  }
  const ref = context.register(widget);
  appendTo(document, page.node, page.ref, "Annots", ref, changed);
  const catalogRef = context.trailerInfo.Root;
  if (!(catalogRef instanceof PDFRef))
    throw new DamagedDataError("the catalog is no indirect object");
  const formRef = document.catalog.get(key("AcroForm"));
  const form = document.catalog.lookup(key("AcroForm"));
  if (form instanceof PDFDict) {
    const owner = formRef instanceof PDFRef ? formRef : catalogRef;
    appendTo(document, form, owner, "Fields", ref, changed);
    return;
  }
  document.catalog.set(key("AcroForm"), context.register(context.obj({ Fields: [ref] })));
  changed.add(catalogRef);
}

/** Appends to an array of `dict`, which is in the object `owner`, and notes which object changes. */
function appendTo(
  { context }: PDFDocument,
  dict: PDFDict,
  owner: PDFRef,
  name: string,
  item: PDFObject,
  changed: Set<PDFRef>,
): void {
  const given = dict.get(key(name));
  const array = dict.lookup(key(name));
  if (array instanceof PDFArray) array.push(item);
  else dict.set(key(name), context.obj([item]));
  changed.add(array instanceof PDFArray && given instanceof PDFRef ? given : owner);
}

/** SigFlags 3: the form has signatures, and changes must be appended (ISO 32000-1, table 219). */
function setFlags(document: PDFDocument, changed: Set<PDFRef>): void {
  const given = document.catalog.get(key("AcroForm"));
  const form = document.catalog.lookup(key("AcroForm"));
  if (!(form instanceof PDFDict)) return;
  form.set(key("SigFlags"), PDFNumber.of(3));
  const root = document.context.trailerInfo.Root;
  const owner = given instanceof PDFRef ? given : root;
  if (owner instanceof PDFRef) changed.add(owner);
}

function freeName(document: PDFDocument): string {
  const names = new Set(collectFields(document).map(({ name }) => name));
  let number = 1;
  while (names.has(`Signature${number}`)) number++;
  return `Signature${number}`;
}
