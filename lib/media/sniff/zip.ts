import { type Entry, openPromise } from "yauzl";
import type { ByteSource } from "../byte-source.ts";
import { type MediaTypeId, mediaTypesOf } from "../types.ts";
import { extensionOf, type SniffHints } from "./text.ts";

/** OpenDocument's own word for each kind, templates included (ODF 1.3, part 2, 3.3). */
const openDocuments: Readonly<Record<string, MediaTypeId>> = {
  text: "odt",
  spreadsheet: "ods",
  presentation: "odp",
};

/** Far more than an office file has; a longer archive is an archive. */
const maxEntries = 10_000;

/**
 * Tells office files from other ZIP archives: OpenDocument by its `mimetype` entry, Office Open XML
 * by its parts (files with macros and templates count as the plain kind; binary workbooks do not).
 */
export async function tellZip(
  source: ByteSource,
  hints: SniffHints,
): Promise<MediaTypeId | undefined> {
  if (!/^504b(0304|0506)$/.test(source.head.toString("hex", 0, 4))) return undefined;
  const openDocument = tellOpenDocument(source.head);
  if (openDocument) return openDocument;
  const told = tellParts((await listDirectory(source)) ?? listLocalEntries(source.head));
  if (told || source.size !== undefined) return told ?? "zip";
  // The parts that would tell are further on; whoever reads the whole file will know.
  return hintedDocument(hints, /^(docx|xlsx|pptx|od[tsp])$/) ?? "zip";
}

/** The document type that the file's name promises, if it is one of `allowed`. */
export function hintedDocument(hints: SniffHints, allowed: RegExp): MediaTypeId | undefined {
  const plain = extensionOf(hints.filename).replace(/^(doc|xls|ppt)m$/, "$1x");
  return mediaTypesOf("document").find((id) => id === plain && allowed.test(id));
}

function tellOpenDocument(head: Buffer): MediaTypeId | undefined {
  // The entry is the first one and is stored, so that it can be read at this place (ODF 1.3, 2, 3.3).
  const start = head.toString("latin1", 30, 120);
  const match = /^mimetype[\s\S]{0,40}?application\/vnd\.oasis\.opendocument\.([a-z]+)/.exec(start);
  return openDocuments[match?.[1] ?? ""];
}

function tellParts(names: readonly string[]): MediaTypeId | undefined {
  if (!names.includes("[Content_Types].xml")) return undefined;
  if (names.some((name) => name.startsWith("word/"))) return "docx";
  if (names.some((name) => name.startsWith("ppt/"))) return "pptx";
  return names.includes("xl/workbook.xml") ? "xlsx" : undefined;
}

/** The names in the archive's directory, at its end; undefined if that is missing or out of reach. */
async function listDirectory({ path }: ByteSource): Promise<string[] | undefined> {
  if (!path) return undefined;
  const names: string[] = [];
  try {
    const archive = await openPromise(path, { decodeStrings: false });
    // With strings left undecoded the entries are as they are on disk.
    for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
      names.push(entry.fileNameRaw.toString("latin1"));
      if (names.length >= maxEntries) break;
    }
    return names;
  } catch {
    return undefined; // broken: told by what stands at the head
  }
}

/** The names before each entry's data, as far as `head` reaches. */
function listLocalEntries(head: Buffer): string[] {
  const names: string[] = [];
  let at = 0;
  while (at + 30 <= head.length && head.readUInt32LE(at) === 0x04034b50) {
    const name = at + 30;
    const data = name + head.readUInt16LE(at + 26) + head.readUInt16LE(at + 28);
    names.push(head.toString("latin1", name, name + head.readUInt16LE(at + 26)));
    const length = head.readUInt32LE(at + 18);
    // Archives made as a stream tell the length only behind the data.
    const isUntold = (head.readUInt16LE(at + 6) & 8) !== 0 && length === 0;
    const next = isUntold ? head.indexOf("PK\x03\x04", data, "latin1") : data + length;
    if (next < 0) break;
    at = next;
  }
  return names;
}
