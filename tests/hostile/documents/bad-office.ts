import type { MediaTypeId } from "#lib/media/types.ts";
import {
  makeOpenDocumentPackage,
  makeOpenXml,
  makeWorkbook,
  wordBody,
} from "#tests/samples/office/office-packages.ts";
import { makeSparseOleFile } from "#tests/samples/office/sparse-ole-file.ts";
import { makeDocx } from "#tests/samples/office/word.ts";
import { makeZip } from "#tests/samples/zip.ts";
import type { BadInput, Outcome } from "../bad-input.ts";
import { deflateBomb } from "./deflate-bomb.ts";

/** Bad inputs: office documents that are damaged, encrypted, of another type, or decompression bombs. */

const firstHalf = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);

const manifest = `<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">`;

/** An ODF document with a password: its entries are encrypted, its manifest is not. */
function encryptedOpenDocument(): Buffer {
  const mime = "application/vnd.oasis.opendocument.text";
  const key = `<manifest:encryption-data manifest:checksum-type="SHA1/1K" manifest:checksum="AAAAAAAAAAAAAAAAAAAAAAAAAAA="><manifest:algorithm manifest:algorithm-name="Blowfish CFB" manifest:initialisation-vector="AAAAAAAAAAA="/><manifest:key-derivation manifest:key-derivation-name="PBKDF2" manifest:iteration-count="1024" manifest:salt="AAAAAAAAAAAAAAAAAAAAAA=="/></manifest:encryption-data>`;
  return makeZip([
    { name: "mimetype", content: mime },
    { name: "content.xml", content: Buffer.alloc(64, 7) },
    {
      name: "META-INF/manifest.xml",
      content: `${manifest}<manifest:file-entry manifest:full-path="/" manifest:media-type="${mime}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml" manifest:size="100">${key}</manifest:file-entry></manifest:manifest>`,
    },
  ]);
}

/** An OpenDocument database. Converting one runs its macros in LibreOffice 7.4 (CVE-2026-84443). */
const database = () =>
  makeZip([
    { name: "mimetype", content: "application/vnd.oasis.opendocument.base" },
    { name: "content.xml", content: "<x/>" },
    { name: "META-INF/manifest.xml", content: `${manifest}</manifest:manifest>` },
  ]);

const page = "<html><body><img src=http://127.0.0.1/a.png>x</body></html>";

/** A DOCX with a gigabyte of paragraphs; its directory declares `claimedSize`. */
const paragraphBomb = (claimedSize: number) => {
  const [start = "", end = ""] = wordBody("BODY").split("BODY");
  const content = deflateBomb({ mebibytes: 1024, start, filler: "<w:p/>", end });
  return makeOpenXml("docx", [{ name: "word/document.xml", content, claimedSize }]);
};

/** The "billion laughs" attack: each entity is ten times the previous one, 10⁹ letters in total. */
const laughs = `<!DOCTYPE d [${Array.from({ length: 9 }, (_, level) =>
  level === 0 ? `<!ENTITY e0 "laughter">` : `<!ENTITY e${level} "${`&e${level - 1};`.repeat(10)}">`,
).join("")}]>`;

/** A sheet with a fill and a border on every row. */
function formattedRows(count: number, cell: (row: number) => string): Buffer {
  const rows = Array.from(
    { length: count },
    (_, index) => `<row r="${index + 1}" s="1" customFormat="1">${cell(index + 1)}</row>`,
  );
  const fill = `<fills count="2"><fill/><fill><patternFill patternType="solid"><fgColor rgb="FFFFFF00"/></patternFill></fill></fills>`;
  const styles = `<?xml version="1.0"?><styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="1"><font/></fonts>${fill}<borders count="1"><border/></borders><cellXfs count="2"><xf/><xf fillId="1" applyFill="1"/></cellXfs></styleSheet>`;
  const parts = [{ name: "xl/styles.xml", content: styles }];
  return makeWorkbook(`<sheetData>${rows.join("")}</sheetData>`, parts);
}

type More = Partial<BadInput>;
const row =
  (...expected: Outcome[]) =>
  (id: string, type: MediaTypeId, build: () => Buffer, more: More = {}): BadInput => ({
    id,
    type,
    build,
    expected,
    ...more,
  });

const fine = row("completes");
const corrupt = row("corrupt");
const exactlyForStrip = (code: Outcome) => ({ expectedFor: { "pipeline/strip-metadata": [code] } });
const tooComplex = (id: string, type: MediaTypeId, build: () => Buffer) =>
  row("too_complex")(id, type, build, {
    ...exactlyForStrip("too_complex"),
    maxEngineBytes: 2 * 2 ** 30,
  });
const encrypted = (id: string, type: MediaTypeId, build: () => Buffer) =>
  row("encrypted")(id, type, build, exactlyForStrip("encrypted"));
/** Any failure within the limits is allowed. */
const failures = [
  "corrupt",
  "too_complex",
  "out_of_memory",
  "timed_out",
  "engine_crashed",
] as const;
const failing = row(...failures);
/** A fast machine may complete it. */
const failingOrComplete = row("completes", ...failures);
const bounded = { maxEngineBytes: 4 * 2 ** 30, timeoutSeconds: 240 };

export const badOffice: readonly BadInput[] = [
  ...(["docx", "doc", "xls", "rtf"] as const).map((type) =>
    corrupt(`HTML named .${type}`, type, () => Buffer.from(page)),
  ),
  corrupt("a database named .docx", "docx", database),
  corrupt("a database named .odt", "odt", database),
  corrupt("a plain ZIP named .xlsx", "xlsx", () => makeZip([{ name: "a.txt", content: "a" }])),
  corrupt(
    "a truncated DOCX",
    "docx",
    () => firstHalf(makeDocx(["Hello"])),
    exactlyForStrip("corrupt"),
  ),
  corrupt("a truncated DOC", "doc", () => firstHalf(makeSparseOleFile(["WordDocument", "1Table"]))),
  corrupt("random bytes named .ppt", "ppt", () => Buffer.alloc(5000, 0xa5)),
  corrupt("an entry with a path traversal", "odt", () =>
    makeZip([{ name: "../../x", content: "x" }]),
  ),
  tooComplex("an entry that declares 2 GB", "docx", () =>
    makeZip([{ name: "word/document.xml", content: "x", claimedSize: 2e9 }]),
  ),
  tooComplex("an entry that declares a ratio of 1,000", "docx", () =>
    makeZip([{ name: "word/document.xml", content: "x".repeat(20_000), claimedSize: 2e7 }]),
  ),
  tooComplex("a megabyte that inflates to a gigabyte", "docx", () => paragraphBomb(1024 * 2 ** 20)),
  failing("a gigabyte that declares a kilobyte", "docx", () => paragraphBomb(1000), {
    ...bounded,
    expectedFor: { "pipeline/strip-metadata": ["corrupt"] },
  }),
  tooComplex("50,000 entries", "xlsx", () =>
    makeZip(Array.from({ length: 50_000 }, (_, i) => ({ name: `xl/${i}`, content: "" }))),
  ),
  corrupt("entries that share their bytes", "odt", () =>
    makeZip(
      Array.from({ length: 500 }, (_, index) => ({
        name: `Pictures/${index}.png`,
        content: Buffer.alloc(10_000),
        claimedSize: 900_000,
        sharesFirst: index > 0,
      })),
    ),
  ),
  encrypted("an OOXML document with a password", "docx", () =>
    makeSparseOleFile(["EncryptionInfo", "EncryptedPackage"]),
  ),
  encrypted("an ODF document with a password", "odt", encryptedOpenDocument),
  row("too_complex", "corrupt", "completes")(
    "an entity bomb",
    "odt",
    () => makeOpenDocumentPackage("text", "<text:p>&e8;</text:p>", { prolog: laughs }),
    bounded,
  ),
  row("completes", "corrupt", "engine_crashed", "too_complex")(
    "50,000 nested elements",
    "docx",
    () => {
      const depth = 50_000;
      const content = wordBody("<w:sdt><w:sdtContent>".repeat(depth));
      return makeOpenXml("docx", [{ name: "word/document.xml", content }]);
    },
    bounded,
  ),
  {
    ...tooComplex("a text of 21 MB", "txt", () => Buffer.alloc(21e6, "a")),
    // It is no XML, which its start shows.
    expectedFor: { "document/factur-x/invoice": ["corrupt"] },
  },
  tooComplex("a CSV with one line of 100 MB", "csv", () => Buffer.alloc(100e6, "a,b")),
  tooComplex("a CSV with one line of 200,000 columns", "csv", () => Buffer.alloc(1e6, "a,b;c")),
  fine("a value in the last row of a sheet", "xlsx", () =>
    makeWorkbook(
      `<sheetData><row r="1" s="1" customFormat="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="A1048576"><v>2</v></c></row></sheetData>`,
    ),
  ),
  failingOrComplete(
    "a million formatted rows",
    "xlsx",
    () => formattedRows(1_000_000, (number) => `<c r="A${number}" s="1"><v>${number}</v></c>`),
    { ...bounded, isSlow: true },
  ),
  failingOrComplete("a word of 19 MB", "txt", () => Buffer.alloc(19e6, "a"), {
    ...bounded,
    isSlow: true,
  }),
  fine("several scripts in missing fonts", "docx", () => {
    const run = (text: string) =>
      `<w:p><w:r><w:rPr><w:rFonts w:ascii="No Such Font" w:eastAsia="No Such Font" w:cs="No Such Font"/></w:rPr><w:t>${text}</w:t></w:r></w:p>`;
    const body = ["漢字 한글", "مرحبا", "שלום", "नमस्ते", "😀"].map(run).join("");
    return makeOpenXml("docx", [{ name: "word/document.xml", content: wordBody(body) }]);
  }),
];
