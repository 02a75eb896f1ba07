import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { readRegular } from "#lib/files/regular-files.ts";
import { collectFields, key, type RawField } from "#lib/formats/pdf/forms/collect-fields.ts";
import { fromPageBox, type PageBox, viewOf } from "#lib/formats/pdf/structure/page-boxes.ts";
import { DamagedDataError } from "#lib/media/damaged-data.ts";
import { layOutSignature } from "./signature-box.ts";

/** The signature of a document before it is signed, with room for the byte range and the signature. */

export interface NewSignature {
  readonly name: string;
  readonly time: Date;
  readonly reason: string | null;
  readonly location: string | null;
  readonly place: { readonly page: number; readonly box: PageBox } | null;
  /** The pages of this PDF are the texts of the visible signature. */
  readonly text: WorkFile | undefined;
  /** A field of the form that waits for a signature. */
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
  } else {
    await addField(document, signature, ref, changed);
  }
  setFlags(document, changed);
  for (let number = before + 1; number <= context.largestObjectNumber; number++) {
    changed.add(PDFRef.of(number));
  }
  return { changed: [...changed], ref };
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

async function drawAppearance(
  document: PDFDocument,
  text: WorkFile,
  { width, height }: PageBox,
  rotation: 0 | 90 | 180 | 270,
): Promise<PDFRef> {
  const source = await PDFDocument.load(await readRegular(text.path), { updateMetadata: false });
  const layout = layOutSignature({ width, height });
  const corners = layout.texts.map((box, index) => {
    const top = source.getPage(index).getHeight();
    return { left: 0, right: box.width, bottom: top - box.height, top };
  });
  const drawn = await document.embedPages(source.getPages(), corners);
  for (const page of drawn) await page.embed();
  const places = layout.texts.map(({ left, top, height: own }, index) => {
    return `q 1 0 0 1 ${left} ${height - top - own} cm /Text${index} Do Q`;
  });
  const [w, h] = rotation % 180 === 0 ? [width, height] : [height, width];
  const matrix = {
    0: [1, 0, 0, 1, 0, 0],
    90: [0, 1, -1, 0, w, 0],
    180: [-1, 0, 0, -1, w, h],
    270: [0, -1, 1, 0, 0, h],
  };
  const names = drawn.map(({ ref }, index) => [`Text${index}`, ref] as const);
  const stream = document.context.flateStream([layout.frame, ...places].join("\n"), {
    Type: "XObject",
    Subtype: "Form",
    BBox: [0, 0, width, height],
    Matrix: matrix[rotation],
    Resources: { XObject: Object.fromEntries(names) },
  });
  return document.context.register(stream);
}
