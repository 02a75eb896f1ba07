import type { MediaTypeId } from "#lib/media/types.ts";

/** The applications of LibreOffice. */
export type OfficeApplication = "writer" | "calc" | "impress" | "draw";

/**
 * How LibreOffice reads a type. The filter is always given, so the content cannot select another.
 */
export interface OfficeFormat {
  readonly importFilter: string;
  /** The application that opens the file; it determines the filters for export. */
  readonly application: OfficeApplication;
  /** Determines the checks before LibreOffice opens the file. */
  readonly structure: OfficeStructure;
}

/** `single` is one file that may be compressed with gzip; its content is not checked. */
export type OfficeStructure = "zip" | "ole" | "text" | "table" | "rtf" | "single";

/** Filter names from LibreOffice's registry (`TypeDetection/Filter`). */
const table = [
  ["docx", "writer", "zip", "MS Word 2007 XML"],
  ["xlsx", "calc", "zip", "Calc MS Excel 2007 XML"],
  ["pptx", "impress", "zip", "Impress MS PowerPoint 2007 XML"],
  ["odt", "writer", "zip", "writer8"],
  ["ods", "calc", "zip", "calc8"],
  ["odp", "impress", "zip", "impress8"],
  ["doc", "writer", "ole", "MS Word 97"],
  ["xls", "calc", "ole", "MS Excel 97"],
  ["ppt", "impress", "ole", "MS PowerPoint 97"],
  ["rtf", "writer", "rtf", "Rich Text Format"],
  ["txt", "writer", "text", "Text (encoded)"],
  ["csv", "calc", "table", "Text - txt - csv (StarCalc)"],
  ["odg", "draw", "zip", "draw8"],
  ["xlsb", "calc", "zip", "Calc MS Excel 2007 Binary"],
  ["vsdx", "draw", "zip", "Visio Document"],
  ["pages", "writer", "zip", "Apple Pages"],
  ["key", "impress", "zip", "Apple Keynote"],
  ["sxw", "writer", "zip", "StarOffice XML (Writer)"],
  ["sxc", "calc", "zip", "StarOffice XML (Calc)"],
  ["sxi", "impress", "zip", "StarOffice XML (Impress)"],
  ["sxd", "draw", "zip", "StarOffice XML (Draw)"],
  ["fodt", "writer", "single", "OpenDocument Text Flat XML"],
  ["fods", "calc", "single", "OpenDocument Spreadsheet Flat XML"],
  ["fodp", "impress", "single", "OpenDocument Presentation Flat XML"],
  ["fodg", "draw", "single", "OpenDocument Drawing Flat XML"],
  ["wordml", "writer", "single", "MS Word 2003 XML"],
  ["excelml", "calc", "single", "MS Excel 2003 XML Orcus"],
  ["wri", "writer", "single", "MS_Write"],
  ["wpd", "writer", "single", "WordPerfect"],
  ["abw", "writer", "single", "AbiWord"],
  ["fb2", "writer", "single", "FictionBook 2"],
  ["pdb", "writer", "single", "PalmDoc"],
  ["t602", "writer", "single", "T602Document"],
  ["hwp", "writer", "single", "writer_MIZI_Hwp_97"],
  ["wk1", "calc", "single", "Lotus"],
  ["wb2", "calc", "single", "Quattro Pro 6.0"],
  ["dbf", "calc", "single", "dBase"],
  ["slk", "calc", "single", "SYLK"],
  ["dif", "calc", "single", "DIF"],
  ["gnumeric", "calc", "single", "Gnumeric Spreadsheet"],
  ["wmf", "draw", "single", "WMF - MS Windows Metafile"],
  ["emf", "draw", "single", "EMF - MS Windows Metafile"],
  ["dxf", "draw", "single", "DXF - AutoCAD Interchange"],
] as const satisfies readonly (readonly [
  MediaTypeId,
  OfficeApplication,
  OfficeStructure,
  string,
])[];

export type OfficeTypeId = (typeof table)[number][0];

/** Every type that LibreOffice reads. */
export const officeTypes: readonly OfficeTypeId[] = table.map(([id]) => id);

const formats = new Map<MediaTypeId, OfficeFormat>(
  table.map(([id, application, structure, importFilter]) => [
    id,
    { application, structure, importFilter },
  ]),
);

/** The format of `type`; undefined if it is not an office document. */
export function officeFormat(type: MediaTypeId): OfficeFormat | undefined {
  return formats.get(type);
}
