import type { ByteSource } from "../byte-source.ts";
import type { MediaTypeId } from "../types.ts";
import type { SniffHints } from "./text.ts";
import { hintedDocument } from "./zip.ts";

/** OLE compound files (MS-CFB): the container of DOC, XLS, PPT and of encrypted office files. */

const signature = Buffer.from("d0cf11e0a1b11ae1", "hex");

/** Directory sectors that are read at most; an entry has 128 bytes. */
const maxSectors = 256;

/** Marks an absent sibling or child. */
const noEntry = 0xffffffff;

/**
 * Tells office files by the streams in their root. An encrypted Office Open XML file is a compound
 * file too; it counts as what its name says it is inside, DOCX if that says nothing.
 */
export async function tellOle(
  source: ByteSource,
  hints: SniffHints,
): Promise<MediaTypeId | undefined> {
  if (!source.head.subarray(0, 8).equals(signature)) return undefined;
  const names = await readRootNames(source);
  // Out of reach, or damaged: then the name is all there is to go by.
  if (!names) return hintedDocument(hints, /^(doc|xls|ppt)x?$/) ?? "unknown";
  if (isEncryptedPackage(names)) return hintedDocument(hints, /^(doc|xls|ppt)x$/) ?? "docx";
  if (names.includes("WordDocument")) return "doc";
  if (names.includes("PowerPoint Document")) return "ppt";
  return names.includes("Workbook") || names.includes("Book") ? "xls" : "unknown";
}

/** Whether a compound file with these streams is an office file behind a password (MS-OFFCRYPTO). */
export function isEncryptedPackage(names: readonly string[]): boolean {
  return names.includes("EncryptedPackage");
}

/** The names of streams and storages in the root; undefined if its directory cannot be read. */
export async function readRootNames(source: ByteSource): Promise<string[] | undefined> {
  return (await readRootStreams(source))?.map(({ name }) => name);
}

/** A stream or storage in the root. */
export interface RootStream {
  readonly name: string;
  /** Where its content begins, for a stream of 4096 bytes or more; smaller ones are kept elsewhere. */
  readonly offset: number;
}

/** What is in the root; undefined if its directory cannot be read. */
export async function readRootStreams(source: ByteSource): Promise<RootStream[] | undefined> {
  const { head } = source;
  if (head.length < 512 || !head.subarray(0, 8).equals(signature)) return undefined;
  const sectorBytes = head.readUInt16LE(0x1e) === 12 ? 4096 : 512;
  const directory = await readChain(source, sectorBytes, head.readUInt32LE(0x30));
  const child = directory.length < 128 ? noEntry : directory.readUInt32LE(0x4c);
  const streams: RootStream[] = [];
  const seen = new Set<number>();
  const waiting = [child];
  while (waiting.length > 0) {
    const id = waiting.pop() ?? noEntry;
    if (id === noEntry || seen.has(id)) continue;
    seen.add(id);
    const entry = directory.subarray(id * 128, id * 128 + 128);
    if (entry.length < 128) continue; // cut off
    const nameBytes = Math.max(0, Math.min(64, entry.readUInt16LE(0x40)) - 2); // without its NUL
    const offset = (entry.readUInt32LE(0x74) + 1) * sectorBytes;
    streams.push({ name: entry.toString("utf16le", 0, nameBytes), offset });
    waiting.push(entry.readUInt32LE(0x44), entry.readUInt32LE(0x48));
  }
  return streams.length > 0 ? streams : undefined;
}

/** The sectors of a chain, from `first` on, as far as they are within reach. */
async function readChain(source: ByteSource, sectorBytes: number, first: number): Promise<Buffer> {
  const sectors: Buffer[] = [];
  let sector = first;
  while (sector < 0xfffffffa && sectors.length < maxSectors) {
    const content = await source.read((sector + 1) * sectorBytes, sectorBytes);
    sectors.push(content);
    if (content.length < sectorBytes) break;
    const next = await nextSector(source, sectorBytes, sector);
    if (next === undefined) break;
    sector = next;
  }
  return Buffer.concat(sectors);
}

/** What the allocation table says comes after `sector`. Tables beyond the header's 109 are not looked up. */
async function nextSector(source: ByteSource, sectorBytes: number, sector: number) {
  const perTable = sectorBytes / 4;
  const table = Math.floor(sector / perTable);
  if (table >= 109) return undefined;
  const tableSector = source.head.readUInt32LE(0x4c + 4 * table);
  const at = (tableSector + 1) * sectorBytes + 4 * (sector % perTable);
  const content = await source.read(at, 4);
  return content.length === 4 ? content.readUInt32LE(0) : undefined;
}
