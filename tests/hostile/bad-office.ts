import type { MediaTypeId } from "#lib/media/types.ts";
import { odfOf, ooxmlOf, wordBody, workbookOf } from "../samples/office-packages.ts";
import { makeCompoundFile } from "../samples/ole.ts";
import { makeDocx } from "../samples/word.ts";
import { makeZip } from "../samples/zip.ts";
import type { Answer, BadInput } from "./bad-input.ts";
import { deflateBomb } from "./deflate-bomb.ts";

/** Office documents that are damaged, locked, something else, or larger than they look. */

const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);

const manifest = `<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">`;

/** A document under a password as ODF packages are: its parts encrypted, its manifest not. */
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

/** Converting such a file runs its macros in LibreOffice 7.4 (CVE-2026-84443). */
const database = () =>
  makeZip([
    { name: "mimetype", content: "application/vnd.oasis.opendocument.base" },
    { name: "content.xml", content: "<x/>" },
    { name: "META-INF/manifest.xml", content: `${manifest}</manifest:manifest>` },
  ]);

const page = "<html><body><img src=http://127.0.0.1/a.png>x</body></html>";

/** A DOCX whose text is a gigabyte of paragraphs; its directory says `claimedSize`. */
const paragraphBomb = (claimedSize: number) => {
  const [start = "", end = ""] = wordBody("BODY").split("BODY");
  const content = deflateBomb({ mebibytes: 1024, start, filler: "<w:p/>", end });
  return ooxmlOf("docx", [{ name: "word/document.xml", content, claimedSize }]);
};

/** Each entity is ten of the one before: 10⁹ letters in all. */
const laughs = `<!DOCTYPE d [${Array.from({ length: 9 }, (_, level) =>
  level === 0 ? `<!ENTITY e0 "laughter">` : `<!ENTITY e${level} "${`&e${level - 1};`.repeat(10)}">`,
).join("")}]>`;

/** A sheet whose rows all have a fill and a border. */
function formattedRows(count: number, cell: (row: number) => string): Buffer {
  const rows = Array.from(
    { length: count },
    (_, index) => `<row r="${index + 1}" s="1" customFormat="1">${cell(index + 1)}</row>`,
  );
  const fill = `<fills count="2"><fill/><fill><patternFill patternType="solid"><fgColor rgb="FFFFFF00"/></patternFill></fill></fills>`;
  const styles = `<?xml version="1.0"?><styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="1"><font/></fonts>${fill}<borders count="1"><border/></borders><cellXfs count="2"><xf/><xf fillId="1" applyFill="1"/></cellXfs></styleSheet>`;
  const parts = [{ name: "xl/styles.xml", content: styles }];
  return workbookOf(`<sheetData>${rows.join("")}</sheetData>`, parts);
}

type More = Partial<BadInput>;
const row =
  (...answers: Answer[]) =>
  (id: string, type: MediaTypeId, build: () => Buffer, more: More = {}): BadInput => ({
    ...{ id, type, build, answers },
    ...more,
  });

const fine = row("completes");
const corrupt = row("corrupt");
const exact = (code: Answer) => ({ except: { "pipeline/strip-metadata": [code] } });
const tooComplex = (id: string, type: MediaTypeId, build: () => Buffer) =>
  row("too_complex")(id, type, build, { ...exact("too_complex"), mostBytes: 2 * 2 ** 30 });
const encrypted = (id: string, type: MediaTypeId, build: () => Buffer) =>
  row("encrypted")(id, type, build, exact("encrypted"));
/** However it ends, it ends, and in bounds. */
const failures = [
  "corrupt",
  "too_complex",
  "out_of_memory",
  "timed_out",
  "engine_crashed",
] as const;
const unbearable = row(...failures);
/** Where the machine is strong enough, well. */
const heavy = row("completes", ...failures);
const bounded = { mostBytes: 4 * 2 ** 30, seconds: 240 };

export const badOffice: readonly BadInput[] = [
  ...(["docx", "doc", "xls", "rtf"] as const).map((type) =>
    corrupt(`HTML named .${type}`, type, () => Buffer.from(page)),
  ),
  corrupt("a database named .docx", "docx", database),
  corrupt("a database named .odt", "odt", database),
  corrupt("a plain ZIP named .xlsx", "xlsx", () => makeZip([{ name: "a.txt", content: "a" }])),
  corrupt("a truncated DOCX", "docx", () => half(makeDocx(["Hello"])), exact("corrupt")),
  corrupt("a truncated DOC", "doc", () => half(makeCompoundFile(["WordDocument", "1Table"]))),
  corrupt("random bytes named .ppt", "ppt", () => Buffer.alloc(5000, 0xa5)),
  corrupt("a name that leads out", "odt", () => makeZip([{ name: "../../x", content: "x" }])),
  tooComplex("parts of 2 GB by the directory", "docx", () =>
    makeZip([{ name: "word/document.xml", content: "x", claimedSize: 2e9 }]),
  ),
  tooComplex("a thousandfold by the directory", "docx", () =>
    makeZip([{ name: "word/document.xml", content: "x".repeat(20_000), claimedSize: 2e7 }]),
  ),
  tooComplex("a gigabyte in a megabyte", "docx", () => paragraphBomb(1024 * 2 ** 20)),
  unbearable("a gigabyte that says it is a kilobyte", "docx", () => paragraphBomb(1000), {
    ...bounded,
    except: { "pipeline/strip-metadata": ["corrupt"] },
  }),
  tooComplex("50,000 parts", "xlsx", () =>
    makeZip(Array.from({ length: 50_000 }, (_, i) => ({ name: `xl/${i}`, content: "" }))),
  ),
  corrupt("parts that share their bytes", "odt", () =>
    makeZip(
      Array.from({ length: 500 }, (_, index) => ({
        ...{ name: `Pictures/${index}.png`, content: Buffer.alloc(10_000), claimedSize: 900_000 },
        sharesFirst: index > 0,
      })),
    ),
  ),
  encrypted("a password on OOXML", "docx", () =>
    makeCompoundFile(["EncryptionInfo", "EncryptedPackage"]),
  ),
  encrypted("a password on ODF", "odt", encryptedOpenDocument),
  row("too_complex", "corrupt", "completes")(
    "entities that are a bomb",
    "odt",
    () => odfOf("text", "<text:p>&e8;</text:p>", { prolog: laughs }),
    bounded,
  ),
  row("completes", "corrupt", "engine_crashed", "too_complex")(
    "elements 50,000 deep",
    "docx",
    () => {
      const depth = 50_000;
      const content = wordBody("<w:sdt><w:sdtContent>".repeat(depth));
      return ooxmlOf("docx", [{ name: "word/document.xml", content }]);
    },
    bounded,
  ),
  tooComplex("text of 21 MB", "txt", () => Buffer.alloc(21e6, "a")),
  tooComplex("a CSV of one line of 100 MB", "csv", () => Buffer.alloc(100e6, "a,b")),
  fine("a CSV of one line of 200,000 columns", "csv", () => Buffer.alloc(1e6, "a,b;c")),
  fine("rows that end where a sheet does", "xlsx", () =>
    workbookOf(
      `<sheetData><row r="1" s="1" customFormat="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="A1048576"><v>2</v></c></row></sheetData>`,
    ),
  ),
  heavy(
    "a million rows formatted",
    "xlsx",
    () => formattedRows(1_000_000, (number) => `<c r="A${number}" s="1"><v>${number}</v></c>`),
    { ...bounded, isSlow: true },
  ),
  heavy("a word of 19 MB", "txt", () => Buffer.alloc(19e6, "a"), { ...bounded, isSlow: true }),
  fine("scripts of all directions in fonts that are not there", "docx", () => {
    const run = (text: string) =>
      `<w:p><w:r><w:rPr><w:rFonts w:ascii="No Such Font" w:eastAsia="No Such Font" w:cs="No Such Font"/></w:rPr><w:t>${text}</w:t></w:r></w:p>`;
    const body = ["漢字 한글", "مرحبا", "שלום", "नमस्ते", "😀"].map(run).join("");
    return ooxmlOf("docx", [{ name: "word/document.xml", content: wordBody(body) }]);
  }),
];
