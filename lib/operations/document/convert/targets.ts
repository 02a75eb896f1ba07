import type { OfficeExport } from "#lib/engines/libreoffice/libreoffice.ts";
import { type OfficeApplication, officeFormat, officeTypes } from "#lib/formats/office/formats.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";

/** Which formats a document can be converted to, and how LibreOffice writes them. */

export const formats = [
  ...(["docx", "odt", "rtf", "txt", "html", "epub"] as const),
  ...(["xlsx", "ods", "csv"] as const),
  ...(["pptx", "odp"] as const),
] as const;

export type Format = (typeof formats)[number];

/** Types that are read without LibreOffice. */
export const textSources = ["html", "md", "epub"] as const;
export type TextSourceId = (typeof textSources)[number];

export function isTextSource(type: MediaTypeId): type is TextSourceId {
  return textSources.some((id) => id === type);
}

const formatsOf: Readonly<Record<OfficeApplication, readonly Format[]>> = {
  writer: ["docx", "odt", "rtf", "txt", "html", "epub"],
  calc: ["xlsx", "ods", "csv", "html"],
  impress: ["pptx", "odp"],
  draw: [],
};

const kinds = { writer: "text", calc: "spreadsheet", impress: "presentation" } as const;

/** The types that can be converted: everything but drawings. */
export const convertible: readonly MediaTypeId[] = [
  ...officeTypes.filter((type) => officeFormat(type)?.application !== "draw"),
  ...textSources,
];

/** Why a file of `type` cannot become `format`: a sentence with what it can. Undefined if it can. */
export function explainImpossible(type: MediaTypeId, format: Format): string | undefined {
  const application = isTextSource(type) ? "writer" : officeFormat(type)?.application;
  if (!application || application === "draw" || formatsOf[application].includes(format)) {
    return undefined;
  }
  const possible = formatsOf[application].filter((id) => id !== type);
  const last = possible.pop();
  return `The file is a ${kinds[application]} (${mediaType(type).label}): \`format\` must be ${[possible.join(", "), last].filter(Boolean).join(" or ")}.`;
}

/** LibreOffice's export filters; the applications have different ones for HTML. */
const filters: Readonly<Partial<Record<Format, OfficeExport>>> = {
  docx: { export: "MS Word 2007 XML" },
  odt: { export: "writer8" },
  rtf: { export: "Rich Text Format" },
  txt: { export: "Text (encoded)", exportOptions: "UTF8,LF,,,false" },
  xlsx: { export: "Calc MS Excel 2007 XML" },
  ods: { export: "calc8" },
  // Comma, quotation mark, UTF-8, from line 1, cells as shown, formulas as their results.
  csv: {
    export: "Text - txt - csv (StarCalc)",
    exportOptions: "44,34,76,1,,0,false,true,false,false,false,{sheet}",
    eachSheet: true,
  },
  pptx: { export: "Impress MS PowerPoint 2007 XML" },
  odp: { export: "impress8" },
};

/** How LibreOffice writes `format`; undefined for HTML and EPUB, which are written here. */
export function exportOf(format: Format): OfficeExport | undefined {
  return filters[format];
}

/** How LibreOffice writes the HTML that becomes HTML or EPUB, with its pictures in it. */
export function htmlExportOf(type: MediaTypeId): OfficeExport {
  const isSheet = officeFormat(type)?.application === "calc";
  return {
    export: isSheet ? "HTML (StarCalc)" : "HTML (StarWriter)",
    exportOptions: "EmbedImages",
  };
}
