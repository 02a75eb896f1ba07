import type { MediaTypeId } from "#lib/media/types.ts";

/** The kinds in the MIME types of flat OpenDocument files; templates have them too. */
const flatDocuments: ReadonlyMap<string, MediaTypeId> = new Map(
  Object.entries({
    text: "fodt",
    spreadsheet: "fods",
    presentation: "fodp",
    graphics: "fodg",
  }),
);

/** The part of an XML document that may contain its root tag with all namespaces. */
const maxRootLength = 16_384;

/** Types by the root element of an XML document. */
const roots: readonly (readonly [RegExp, MediaTypeId])[] = [
  [/^<w:wordDocument\s/, "wordml"],
  [/^<(?:\w{1,20}:)?Workbook\s[^>]{0,4000}urn:schemas-microsoft-com:office:spreadsheet/, "excelml"],
  [/^<(?:abiword|awml)\s/, "abw"],
  [/^<FictionBook[\s>]/, "fb2"],
];

/** Whether XML is of Gnumeric, whose files are always compressed. */
export function isGnumeric(start: string): boolean {
  return /^<(?:gnm|gmr):Workbook\s/.test(start);
}

/** Detects the XML formats of office programs. `start` is the text from the root element on. */
export function detectOfficeXml(start: string): MediaTypeId | undefined {
  if (/^<office:document\s/.test(start)) {
    const root = start.slice(0, Math.min(maxRootLength, endOfTag(start)));
    const mime = /office:mimetype=["']application\/vnd\.oasis\.opendocument\.([a-z]+)/.exec(root);
    return flatDocuments.get(mime?.[1] ?? "");
  }
  return roots.find(([pattern]) => pattern.test(start))?.[1];
}

function endOfTag(text: string): number {
  const end = text.indexOf(">");
  return end < 0 ? text.length : end;
}

/** Types by the first lines, which are fixed. */
const beginnings: readonly (readonly [RegExp, MediaTypeId])[] = [
  [/^ID;P/, "slk"],
  [/^@CT [0-2]\r?\n/, "t602"],
  [/^TABLE\r?\n0,1\r?\n/, "dif"],
  [/^(?:\s{0,9}999\r?\n[^\n]{0,300}\n){0,20}\s{0,9}0\r?\n\s{0,9}SECTION\r?\n/, "dxf"],
];

/** Detects the plain text formats of office and drawing programs. */
export function detectOfficeText(text: string): MediaTypeId | undefined {
  const start = text.slice(0, 8000).replace(/^\ufeff/, "");
  return beginnings.find(([pattern]) => pattern.test(start))?.[1];
}
