import { constants, inflateRawSync } from "node:zlib";
import { type Entry, openPromise } from "yauzl";
import type { ByteSource } from "#lib/media/byte-source.ts";
import { type MediaTypeId, mediaTypesOf } from "#lib/media/types.ts";
import { isZipDamage } from "../zip/zip-errors.ts";
import { extensionOf, type SniffHints } from "./text.ts";

/** The name of each kind in OpenDocument's MIME types, also of templates (ODF 1.3, part 2, 3.3). */
const openDocuments: ReadonlyMap<string, MediaTypeId> = new Map(
  Object.entries({
    text: "odt",
    spreadsheet: "ods",
    presentation: "odp",
    graphics: "odg",
  }),
);

/** The same in the MIME types of OpenOffice.org 1. */
const starDocuments: ReadonlyMap<string, MediaTypeId> = new Map(
  Object.entries({
    writer: "sxw",
    calc: "sxc",
    impress: "sxi",
    draw: "sxd",
  }),
);

/** The bytes of an entry that are read, compressed or not. */
const maxEntryStart = 4096;

/** A number of entries that no office file has. */
const maxEntries = 10_000;

/**
 * Detects office files and EPUB among ZIP archives: OpenDocument and EPUB by their `mimetype` entry,
 * the others by their parts. Templates and files with macros count as their plain format.
 */
export async function detectZip(
  source: ByteSource,
  hints: SniffHints,
): Promise<MediaTypeId | undefined> {
  if (!/^504b(0304|0506)$/.test(source.head.toString("hex", 0, 4))) return undefined;
  const declared = detectDeclared(source.head);
  if (declared) return declared;
  const names = (await listDirectory(source)) ?? listLocalEntries(source.head);
  const detected = detectParts(names) ?? detectAppleParts(names, source.head);
  if (detected || source.size !== undefined) return detected ?? "zip";
  // The parts that decide may come later in the file, so its name decides.
  return hintedDocument(hints, /^(docx|xlsx|xlsb|pptx|vsdx|od[tspg]|sx[wcid]|epub)$/) ?? "zip";
}

/** The document type of the extension in the file's name, if it is one of `allowed`. */
export function hintedDocument(hints: SniffHints, allowed: RegExp): MediaTypeId | undefined {
  const plain = extensionOf(hints.filename).replace(/^(doc|xls|ppt)m$/, "$1x");
  return mediaTypesOf("document").find((id) => id === plain && allowed.test(id));
}

function detectDeclared(head: Buffer): MediaTypeId | undefined {
  // The entry is the first one and not compressed (ODF 1.3, part 2, 3.3; EPUB 3.3, 4.2.6.3).
  const start = head.toString("latin1", 30, 120);
  if (/^mimetype[\s\S]{0,40}?application\/epub\+zip/.test(start)) return "epub";
  const match =
    /^mimetype[\s\S]{0,40}?application\/vnd\.(oasis\.opendocument|sun\.xml)\.([a-z-]+)/.exec(start);
  const kind = match?.[2]?.replace(/-template$/, "") ?? "";
  return match?.[1] === "sun.xml" ? starDocuments.get(kind) : openDocuments.get(kind);
}

function detectParts(names: readonly string[]): MediaTypeId | undefined {
  // Many programs that repack an EPUB compress its `mimetype` entry, or move it.
  if (names.includes("META-INF/container.xml") && names.some((name) => /\.opf$/i.test(name))) {
    return "epub";
  }
  if (!names.includes("[Content_Types].xml")) return undefined;
  if (names.some((name) => name.startsWith("word/"))) return "docx";
  if (names.some((name) => name.startsWith("ppt/"))) return "pptx";
  if (names.includes("xl/workbook.bin")) return "xlsb";
  if (names.includes("visio/document.xml")) return "vsdx";
  return names.includes("xl/workbook.xml") ? "xlsx" : undefined;
}

/** Detects Pages and Keynote of iWork ’09. Later versions have the same extensions, but no XML. */
function detectAppleParts(names: readonly string[], head: Buffer): MediaTypeId | undefined {
  if (names.includes("index.apxl")) return "key";
  if (!names.includes("index.xml")) return undefined;
  return /<sl:document\s/.test(readEntryStart(head, "index.xml") ?? "") ? "pages" : undefined;
}

/** The names in the directory at the end of the archive; undefined if it is missing or cannot be read. */
async function listDirectory({ path }: ByteSource): Promise<string[] | undefined> {
  if (!path) return undefined;
  const names: string[] = [];
  try {
    const archive = await openPromise(path, { decodeStrings: false });
    // The type of the entries does not depend on `decodeStrings`.
    for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
      names.push(entry.fileNameRaw.toString("latin1"));
      if (names.length >= maxEntries) break;
    }
    return names;
  } catch (error) {
    if (!isZipDamage(error)) throw error;
    return undefined; // Its head decides.
  }
}

/** The beginning of the entry called `name`, if its local header is in `head`. */
function readEntryStart(head: Buffer, name: string): string | undefined {
  const entry = head.indexOf(name, 0, "latin1") - 30;
  if (entry < 0 || head.readUInt32LE(entry) !== 0x04034b50) return undefined;
  const data = entry + 30 + head.readUInt16LE(entry + 26) + head.readUInt16LE(entry + 28);
  const content = head.subarray(data, data + maxEntryStart);
  if (head.readUInt16LE(entry + 8) === 0) return content.toString("latin1");
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 2 ** 23 };
    return inflateRawSync(content, options).toString("latin1", 0, maxEntryStart);
  } catch {
    return undefined;
  }
}

/**
 * The names in the local headers within `head`, of a file whose end, where yauzl reads its directory, is not
 * known or damaged.
 */
function listLocalEntries(head: Buffer): string[] {
  const names: string[] = [];
  let at = 0;
  while (at + 30 <= head.length && head.readUInt32LE(at) === 0x04034b50) {
    const name = at + 30;
    const data = name + head.readUInt16LE(at + 26) + head.readUInt16LE(at + 28);
    names.push(head.toString("latin1", name, name + head.readUInt16LE(at + 26)));
    const length = head.readUInt32LE(at + 18);
    // In streamed archives the length comes after the data.
    const isStreamed = (head.readUInt16LE(at + 6) & 8) !== 0 && length === 0;
    const next = isStreamed ? head.indexOf("PK\x03\x04", data, "latin1") : data + length;
    if (next < 0) break;
    at = next;
  }
  return names;
}
