import type { MediaTypeId } from "#lib/media/types.ts";

/**
 * How LibreOffice reads a type. The filter is always given, so the content cannot select another.
 */
export interface OfficeFormat {
  readonly importFilter: string;
  readonly exportFilter: "writer_pdf_Export" | "calc_pdf_Export" | "impress_pdf_Export";
  /** Determines the checks before LibreOffice opens the file. */
  readonly structure: OfficeStructure;
}

export type OfficeStructure = "zip" | "ole" | "text" | "table" | "rtf";

const text = "writer_pdf_Export";
const sheet = "calc_pdf_Export";
const slides = "impress_pdf_Export";

/** Filter names from LibreOffice's registry (`TypeDetection/Filter`). */
const formats: Partial<Record<MediaTypeId, OfficeFormat>> = {
  docx: { importFilter: "MS Word 2007 XML", exportFilter: text, structure: "zip" },
  xlsx: { importFilter: "Calc MS Excel 2007 XML", exportFilter: sheet, structure: "zip" },
  pptx: { importFilter: "Impress MS PowerPoint 2007 XML", exportFilter: slides, structure: "zip" },
  odt: { importFilter: "writer8", exportFilter: text, structure: "zip" },
  ods: { importFilter: "calc8", exportFilter: sheet, structure: "zip" },
  odp: { importFilter: "impress8", exportFilter: slides, structure: "zip" },
  doc: { importFilter: "MS Word 97", exportFilter: text, structure: "ole" },
  xls: { importFilter: "MS Excel 97", exportFilter: sheet, structure: "ole" },
  ppt: { importFilter: "MS PowerPoint 97", exportFilter: slides, structure: "ole" },
  rtf: { importFilter: "Rich Text Format", exportFilter: text, structure: "rtf" },
  txt: { importFilter: "Text (encoded)", exportFilter: text, structure: "text" },
  csv: { importFilter: "Text - txt - csv (StarCalc)", exportFilter: sheet, structure: "table" },
};

/** The format of `type`; undefined if it is not an office document. */
export function officeFormat(type: MediaTypeId): OfficeFormat | undefined {
  return formats[type];
}
