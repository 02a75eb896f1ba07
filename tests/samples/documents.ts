import { readFileSync, realpathSync, statSync } from "node:fs";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LibreOfficeProcess } from "#lib/engines/libreoffice/process.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { findProgram } from "#lib/setup/command.mjs";
import type { Sample } from "../support/operation.ts";
import { makeOnce } from "./media-files.ts";

/** Office documents that LibreOffice makes from flat XML sources. */

/** The beginning of a flat OpenDocument file, up to `office:mimetype`. */
export const flatHead =
  '<?xml version="1.0" encoding="UTF-8"?><office:document office:version="1.3"' +
  ' xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"' +
  ' xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"' +
  ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"' +
  ' xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"' +
  ' xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"' +
  ' xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"' +
  ' xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"' +
  ' xmlns:xlink="http://www.w3.org/1999/xlink"';

/** The MIME type of OpenDocument, without the kind. */
export const flatMime = "application/vnd.oasis.opendocument";

/** Makes the flat XML of a text document with one page for each paragraph. */
export function flatText(paragraphs: readonly string[]): string {
  const style =
    '<office:automatic-styles><style:style style:name="P" style:family="paragraph">' +
    '<style:paragraph-properties fo:break-before="page"/></style:style></office:automatic-styles>';
  const body = paragraphs
    .map((text, index) => `<text:p${index > 0 ? ' text:style-name="P"' : ""}>${text}</text:p>`)
    .join("");
  return `${flatHead} office:mimetype="${flatMime}.text">${style}<office:body><office:text>${body}</office:text></office:body></office:document>`;
}

/** Makes the flat XML of a spreadsheet with one sheet of one cell for each text. */
export function flatSheets(cells: readonly string[]): string {
  const tables = cells.map(
    (text, index) =>
      `<table:table table:name="Sheet${index + 1}"><table:table-row><table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell></table:table-row></table:table>`,
  );
  return `${flatHead} office:mimetype="${flatMime}.spreadsheet"><office:body><office:spreadsheet>${tables.join("")}</office:spreadsheet></office:body></office:document>`;
}

/** Makes the flat XML of a presentation with one slide for each text. */
export function flatSlides(texts: readonly string[]): string {
  const pages = texts.map(
    (text, index) =>
      `<draw:page draw:name="page${index + 1}"><draw:frame svg:width="15cm" svg:height="3cm" svg:x="2cm" svg:y="2cm"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame></draw:page>`,
  );
  return `${flatHead} office:mimetype="${flatMime}.presentation"><office:body><office:presentation>${pages.join("")}</office:presentation></office:body></office:document>`;
}

/** Import filters of LibreOffice for flat files. */
export const flatFilters = {
  text: "OpenDocument Text Flat XML",
  sheets: "OpenDocument Spreadsheet Flat XML",
  slides: "OpenDocument Presentation Flat XML",
} as const;

const targets = [
  ["text", "docx", "MS Word 2007 XML"],
  ["text", "odt", "writer8"],
  ["text", "doc", "MS Word 97"],
  ["text", "rtf", "Rich Text Format"],
  ["sheets", "xlsx", "Calc MS Excel 2007 XML"],
  ["sheets", "ods", "calc8"],
  ["sheets", "xls", "MS Excel 97"],
  ["slides", "pptx", "Impress MS PowerPoint 2007 XML"],
  ["slides", "odp", "impress8"],
  ["slides", "ppt", "MS PowerPoint 97"],
] as const satisfies (readonly [keyof typeof flatFilters, MediaTypeId, string])[];

/** The texts of the pages in the samples of `makeOfficeSamples`. */
export const officePages = ["Alpha Grüße 你好", "Beta", "Gamma"] as const;

export type OfficeSamples = ReadonlyMap<MediaTypeId, Sample>;

/** A comment that is displayed on screen, but not printed. */
const comment = "<office:annotation><text:p>Comment</text:p></office:annotation>";

/** Makes a document of `officePages` of every type except TXT and CSV in `folder`. */
export async function makeOfficeSamples(folder: string): Promise<OfficeSamples> {
  const sources = {
    text: flatText(officePages.map((text) => text + comment)),
    sheets: flatSheets(officePages),
    slides: flatSlides(officePages),
  };
  const samples = new Map<MediaTypeId, Sample>();
  await withLibreOffice(async (store) => {
    for (const [kind, type, filter] of targets) {
      const path = join(folder, `sample.${type}`);
      await store(sources[kind], flatFilters[kind], filter, path);
      samples.set(type, { path, type });
    }
  });
  return samples;
}

type Store = (
  source: string | Buffer,
  filter: string,
  target: string,
  path: string,
) => Promise<void>;

/**
 * Runs `work` with a function that converts a document in LibreOffice, from the import filter `filter`
 * to the export filter `target`. It converts nothing that was converted in the last week.
 */
export async function withLibreOffice(work: (store: Store) => Promise<void>): Promise<void> {
  let started: Promise<LibreOfficeProcess> | undefined;
  const signal = new AbortController().signal;
  try {
    await work(async (source, filter, target, path) => {
      const made = await makeOnce([officeVersion(), source, filter, target], async (unfinished) => {
        started ??= LibreOfficeProcess.start();
        const office = await started;
        await office.reset();
        const names = { input: "in/in-0.xml", output: "out/out-0.bin", filter, export: target };
        await writeFile(join(office.slot.root, names.input), source);
        const message = { ...names, options: "", pages: "", table: false };
        const { error } = await office.request(message, { timeoutMs: 30_000, signal });
        if (error) throw new Error(`conversion failed: ${error.message}`);
        await copyFile(join(office.slot.root, names.output), unfinished);
      });
      await copyFile(made, path);
    });
  } finally {
    await (await started)?.close();
  }
}

/** Another LibreOffice, or another way to call it, makes other files. */
function officeVersion(): string {
  const program = findProgram("soffice");
  if (program === undefined) throw new Error("LibreOffice is not installed");
  const { size, mtimeMs } = statSync(join(dirname(realpathSync(program)), "soffice.bin"));
  const bridge = join(import.meta.dirname, "../../lib/engines/libreoffice/bridge.py");
  return `${size} ${mtimeMs} ${readFileSync(bridge, "utf8")}`;
}

/** Creates a temporary folder, and returns the function that removes it. */
export async function temporaryFolder(): Promise<[path: string, remove: () => Promise<void>]> {
  const path = await mkdtemp(join(tmpdir(), "mediamill-documents-"));
  return [path, () => rm(path, { recursive: true, force: true })];
}

export { makeZip } from "./zip.ts";
