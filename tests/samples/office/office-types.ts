import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { MediaTypeId } from "#lib/media/types.ts";
import { flatFilters, flatSheets, flatSlides, flatText, withLibreOffice } from "../documents.ts";
import { makeDxf } from "./drawings.ts";
import { makeKeynote, makePages, makeStarOffice, makeVisio } from "./packages.ts";
import {
  makeBinaryWorkbook,
  makeDbase,
  makeExcel4,
  makeExcelXml,
  makeGnumeric,
  makeLotus,
  makeQuattro,
} from "./sheets.ts";
import {
  makeAbiWord,
  makeCompressedAbiWord,
  makeFictionBook,
  makeHangul,
  makePalmDoc,
  makeT602,
  makeWordPerfect,
  makeWrite,
} from "./texts.ts";

/** A file of a type, with the extension that its program gives it. */
export interface OfficeTypeSample {
  readonly extension: string;
  readonly type: MediaTypeId;
  readonly content: Buffer;
}

/** Makes the flat XML of a drawing with `text`. */
export function flatDrawing(text: string): string {
  return flatSlides([text])
    .replace('presentation"', 'graphics"')
    .replaceAll("office:presentation", "office:drawing");
}

/** Files that are written without LibreOffice. */
const handmade: readonly [extension: string, MediaTypeId, (text: string) => string | Buffer][] = [
  ["fodt", "fodt", (text) => flatText([text])],
  ["fods", "fods", (text) => flatSheets([text])],
  ["fodp", "fodp", (text) => flatSlides([text])],
  ["fodg", "fodg", flatDrawing],
  ["txt", "txt", (text) => text],
  ["csv", "csv", (text) => `${text},1`],
  ["tsv", "csv", (text) => `${text}\t1`],
  ["wpd", "wpd", makeWordPerfect],
  ["wri", "wri", makeWrite],
  ["abw", "abw", makeAbiWord],
  ["zabw", "abw", makeCompressedAbiWord],
  ["fb2", "fb2", makeFictionBook],
  ["pdb", "pdb", makePalmDoc],
  ["602", "t602", makeT602],
  ["hwp", "hwp", makeHangul],
  ["xls", "xls", makeExcel4],
  ["wk1", "wk1", makeLotus],
  ["wb2", "wb2", makeQuattro],
  ["dbf", "dbf", makeDbase],
  ["gnumeric", "gnumeric", makeGnumeric],
  ["xml", "excelml", makeExcelXml],
  ["xlsb", "xlsb", makeBinaryWorkbook],
  ["sxw", "sxw", (text) => makeStarOffice("writer", text)],
  ["stw", "sxw", (text) => makeStarOffice("writer", text, true)],
  ["sxc", "sxc", (text) => makeStarOffice("calc", text)],
  ["stc", "sxc", (text) => makeStarOffice("calc", text, true)],
  ["sxi", "sxi", (text) => makeStarOffice("impress", text)],
  ["sxd", "sxd", (text) => makeStarOffice("draw", text)],
  ["pages", "pages", makePages],
  ["key", "key", makeKeynote],
  ["vsdx", "vsdx", makeVisio],
  ["dxf", "dxf", makeDxf],
];

const sources = {
  text: [(text: string) => flatText([text]), flatFilters.text],
  sheets: [(text: string) => flatSheets([text]), flatFilters.sheets],
  slides: [(text: string) => flatSlides([text]), flatFilters.slides],
  drawing: [flatDrawing, "OpenDocument Drawing Flat XML"],
} as const;

/** Files that LibreOffice writes, with the name of its export filter. */
const exported: readonly [
  extension: string,
  MediaTypeId,
  source: keyof typeof sources,
  filter: string,
][] = [
  ["docx", "docx", "text", "MS Word 2007 XML"],
  ["docm", "docx", "text", "MS Word 2007 XML VBA"],
  ["dotx", "docx", "text", "MS Word 2007 XML Template"],
  ["doc", "doc", "text", "MS Word 97"],
  ["dot", "doc", "text", "MS Word 97 Vorlage"],
  ["odt", "odt", "text", "writer8"],
  ["ott", "odt", "text", "writer8_template"],
  ["rtf", "rtf", "text", "Rich Text Format"],
  ["xml", "wordml", "text", "MS Word 2003 XML"],
  ["xlsx", "xlsx", "sheets", "Calc MS Excel 2007 XML"],
  ["xlsm", "xlsx", "sheets", "Calc MS Excel 2007 VBA XML"],
  ["xltx", "xlsx", "sheets", "Calc MS Excel 2007 XML Template"],
  ["xls", "xls", "sheets", "MS Excel 97"],
  ["xlt", "xls", "sheets", "MS Excel 97 Vorlage/Template"],
  ["ods", "ods", "sheets", "calc8"],
  ["ots", "ods", "sheets", "calc8_template"],
  ["slk", "slk", "sheets", "SYLK"],
  ["dif", "dif", "sheets", "DIF"],
  ["pptx", "pptx", "slides", "Impress MS PowerPoint 2007 XML"],
  ["pptm", "pptx", "slides", "Impress MS PowerPoint 2007 XML VBA"],
  ["potx", "pptx", "slides", "Impress MS PowerPoint 2007 XML Template"],
  ["ppsx", "pptx", "slides", "Impress MS PowerPoint 2007 XML AutoPlay"],
  ["ppt", "ppt", "slides", "MS PowerPoint 97"],
  ["pot", "ppt", "slides", "MS PowerPoint 97 Vorlage"],
  ["pps", "ppt", "slides", "MS PowerPoint 97 AutoPlay"],
  ["odp", "odp", "slides", "impress8"],
  ["otp", "odp", "slides", "impress8_template"],
  ["odg", "odg", "drawing", "draw8"],
  ["otg", "odg", "drawing", "draw8_template"],
  ["emf", "emf", "drawing", "draw_emf_Export"],
  ["wmf", "wmf", "drawing", "draw_wmf_Export"],
];

/** Makes a file of every extension that LibreOffice reads, each with `text`, in `folder`. */
export async function makeOfficeTypes(folder: string, text: string): Promise<OfficeTypeSample[]> {
  const samples: OfficeTypeSample[] = handmade.map(([extension, type, make]) => ({
    extension,
    type,
    content: Buffer.from(make(text)),
  }));
  await withLibreOffice(async (store) => {
    for (const [extension, type, source, filter] of exported) {
      const [make, importFilter] = sources[source];
      const path = join(folder, `made.${extension}`);
      await store(make(text), importFilter, filter, path);
      samples.push({ extension, type, content: await readFile(path) });
    }
  });
  const compressed = samples
    .filter(({ type }) => type === "wmf" || type === "emf")
    .map(({ extension, type, content }) => ({
      extension: extension.replace(/f$/, "z"),
      type,
      content: gzipSync(content),
    }));
  return [...samples, ...compressed];
}
