import type { PdfCopier } from "../objects/copier.ts";
import { readText } from "../objects/text.ts";
import {
  isDict,
  type PdfArray,
  type PdfDict,
  type PdfName,
  type PdfRef,
  PdfString,
  type PdfValue,
  without,
} from "../objects/values.ts";
import type { PdfWriter } from "../objects/writer.ts";
import type { PdfSource } from "./source.ts";

/** Entries of a catalog that are made for the pages that it gets. */
const ownEntries = [
  "/Type",
  "/Version",
  "/Pages",
  "/PageLabels",
  "/Names",
  "/Dests",
  "/Outlines",
  "/OpenAction",
  "/AcroForm",
  "/StructTreeRoot",
  "/MarkInfo",
  "/OCProperties",
  "/AF",
  "/Perms",
  "/Threads",
] as const satisfies PdfName[];

/** Entries that describe a file as a whole, not one made of several. */
const wholeFileEntries = ["/Metadata", "/Collection", "/PieceInfo", "/DSS"] as const;

/** What a file that is made of several has of the information dictionary of the first one. */
export const mergedInfoNames = ["/Title", "/Author", "/Subject", "/Keywords"] as const;

export interface DocumentMetadata {
  /** The information dictionary, with references of the file that the first pages are from. */
  readonly info: PdfDict;
  /** The XMP packet, an object of the written file. */
  readonly packet: PdfRef;
}

interface CatalogOptions {
  /** The numbers of the page objects that are kept. */
  readonly kept: ReadonlySet<number>;
  readonly isMerge: boolean;
  /** The properties of the result; those of the file by default. */
  readonly metadata: DocumentMetadata | undefined;
}

/** What a written file has of another one as a whole. */
export interface CopiedCatalog {
  /** Without the entries that depend on the pages. */
  readonly catalog: PdfDict;
  readonly info: PdfRef | undefined;
  readonly originalId: PdfString | undefined;
}

/** Copies the catalog, the information dictionary and the id of a file. */
export function copyCatalog(
  { file, destinations }: PdfSource,
  copier: PdfCopier,
  writer: PdfWriter,
  { kept, isMerge, metadata }: CatalogOptions,
): CopiedCatalog {
  const dropped = isMerge ? wholeFileEntries : [];
  const replaced = metadata ? (["/Metadata"] as const) : [];
  const others = without(file.catalog, ...ownEntries, ...dropped, ...replaced);
  const open = file.resolve(file.catalog["/OpenAction"]);
  const action = isDict(open) ? open : undefined;
  const isOther = action !== undefined && action["/S"] !== "/GoTo";
  // That of another action, such as `/GoToR`, is none in this file.
  const destination = isOther ? undefined : destinations.resolve(action ? action["/D"] : open);
  const opened: PdfValue =
    destination && kept.has(destination.page) ? destination.value : isOther ? open : null;
  const opens: PdfDict = opened === null ? {} : { "/OpenAction": opened };
  // `value` of a dictionary is one.
  const copied = copier.value({ ...others, ...opens }) as PdfDict;
  const id: PdfArray = file.array(file.trailer["/ID"]);
  const [original] = id;
  return {
    catalog: metadata ? { ...copied, "/Metadata": metadata.packet } : copied,
    info: metadata
      ? writer.add(copier.value(metadata.info))
      : copyInfo({ file }, copier, writer, isMerge),
    originalId: !isMerge && original instanceof PdfString ? original : undefined,
  };
}

/** Of files that are merged, only what says what the first one is about is copied. */
function copyInfo(
  { file }: Pick<PdfSource, "file">,
  copier: PdfCopier,
  writer: PdfWriter,
  isMerge: boolean,
): PdfRef | undefined {
  const info = file.dict(file.trailer["/Info"]);
  const names = mergedInfoNames.filter((name) => readText(file.resolve(info[name])) !== "");
  const titles = Object.fromEntries(names.map((name) => [name, file.resolve(info[name])]));
  const written = isMerge ? titles : info;
  return Object.keys(written).length === 0 ? undefined : writer.add(copier.value(written));
}
