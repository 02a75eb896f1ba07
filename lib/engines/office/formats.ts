import type { MediaTypeId } from "#lib/media/types.ts";

/** How LibreOffice reads a type: the filter is forced, so that content never picks another one. */
export interface OfficeFormat {
  readonly importFilter: string;
  readonly exportFilter: "writer_pdf_Export" | "calc_pdf_Export" | "impress_pdf_Export";
  /** How its bytes are packed, which tells what is checked before it is opened. */
  readonly packing: OfficePacking;
}

export type OfficePacking = "zip" | "ole" | "text" | "table" | "rtf";

const text = "writer_pdf_Export";
const sheet = "calc_pdf_Export";
const slides = "impress_pdf_Export";

/** LibreOffice's own names, from its registry (`TypeDetection/Filter`). */
const formats: Partial<Record<MediaTypeId, OfficeFormat>> = {
  docx: { importFilter: "MS Word 2007 XML", exportFilter: text, packing: "zip" },
  xlsx: { importFilter: "Calc MS Excel 2007 XML", exportFilter: sheet, packing: "zip" },
  pptx: { importFilter: "Impress MS PowerPoint 2007 XML", exportFilter: slides, packing: "zip" },
  odt: { importFilter: "writer8", exportFilter: text, packing: "zip" },
  ods: { importFilter: "calc8", exportFilter: sheet, packing: "zip" },
  odp: { importFilter: "impress8", exportFilter: slides, packing: "zip" },
  doc: { importFilter: "MS Word 97", exportFilter: text, packing: "ole" },
  xls: { importFilter: "MS Excel 97", exportFilter: sheet, packing: "ole" },
  ppt: { importFilter: "MS PowerPoint 97", exportFilter: slides, packing: "ole" },
  rtf: { importFilter: "Rich Text Format", exportFilter: text, packing: "rtf" },
  txt: { importFilter: "Text (encoded)", exportFilter: text, packing: "text" },
  csv: { importFilter: "Text - txt - csv (StarCalc)", exportFilter: sheet, packing: "table" },
};

/** How `type` is read; undefined where it is no office document. */
export function officeFormat(type: MediaTypeId): OfficeFormat | undefined {
  return formats[type];
}
