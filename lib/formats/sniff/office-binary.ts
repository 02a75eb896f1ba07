import { constants, gunzipSync } from "node:zlib";
import type { MediaTypeId } from "#lib/media/types.ts";
import { detectOfficeXml, isGnumeric } from "./office-text.ts";
import { readText, skipProlog } from "./text.ts";

/** Signatures at the start of a file, in hexadecimal. */
const signatures: readonly (readonly [string, MediaTypeId])[] = [
  ["31be000000ab", "wri"],
  ["32be000000ab", "wri"],
  ["48575020446f63756d656e742046696c652056", "hwp"],
  // The first record of a sheet: its kind, its length, and the version.
  ["000002000404", "wk1"],
  ["000002000504", "wk1"],
  ["000002000604", "wk1"],
  ["000002000210", "wb2"],
  ["09000400", "xls"],
  ["09020600", "xls"],
  ["09040600", "xls"],
  // A metafile with the header that gives its size, and two versions without.
  ["d7cdc69a", "wmf"],
  ["010009000003", "wmf"],
  ["010009000001", "wmf"],
];

/** Detects binary office and drawing files that are neither a ZIP nor an OLE file. */
export function detectOfficeBinary(head: Buffer, size?: number): MediaTypeId | undefined {
  const start = head.toString("hex", 0, 32);
  const signed = signatures.find(([signature]) => start.startsWith(signature));
  if (signed) return signed[1];
  // Codes of formats are control characters in its text.
  if (/^@CT [0-2]\r?\n/.test(head.toString("latin1", 0, 8))) return "t602";
  if (isWordPerfect(head)) return "wpd";
  if (head.toString("latin1", 60, 68) === "TEXtREAd") return "pdb";
  if (start.startsWith("01000000") && head.toString("latin1", 40, 44) === " EMF") return "emf";
  return isDbase(head, size) ? "dbf" : undefined;
}

/** A document (10; 44 on the Macintosh) of WordPerfect, not one of its macros or graphics. */
function isWordPerfect(head: Buffer): boolean {
  return head.toString("latin1", 0, 4) === "\xffWPC" && (head[9] === 10 || head[9] === 44);
}

/** Version bytes of dBase III, IV and 5, with and without notes, and of FoxPro. */
const dbaseVersions = new Set([0x03, 0x04, 0x05, 0x30, 0x31, 0x83, 0x8b, 0xf5]);

/** A table has no signature, so the lengths in its header must agree with each other and its size. */
function isDbase(head: Buffer, size = Number.POSITIVE_INFINITY): boolean {
  if (head.length < 66 || !dbaseVersions.has(head.readUInt8(0))) return false;
  const month = head.readUInt8(2);
  const day = head.readUInt8(3);
  if (month > 12 || day > 31) return false;
  const [rows, headerBytes, rowBytes] = [4, 8, 10].map((at) =>
    at === 4 ? head.readUInt32LE(at) : head.readUInt16LE(at),
  ) as [number, number, number];
  if (headerBytes < 65 || headerBytes > head.length || headerBytes + rows * rowBytes > size + 1)
    return false;
  let width = 1;
  let at = 32;
  for (; at + 32 < headerBytes && head[at] !== 0x0d; at += 32) {
    if (!/[CNFLDMBGIPTY@O+V]/.test(String.fromCharCode(head.readUInt8(at + 11)))) return false;
    width += head.readUInt8(at + 16);
  }
  return head[at] === 0x0d && width === rowBytes;
}

/** Compressed bytes that are unpacked to detect a type, and the largest size that they may have. */
const compressedSample = 4096;
const maxSample = 8 * 2 ** 20;

/** Detects office and drawing files that are compressed with gzip: zabw, gnumeric, wmz and emz. */
export function detectCompressedOffice(head: Buffer): MediaTypeId | undefined {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return undefined;
  const start = unpackStart(head.subarray(0, compressedSample));
  if (!start) return undefined;
  const id = detectOfficeBinary(start);
  if (id === "wmf" || id === "emf") return id;
  const text = readText(start, false);
  if (text === undefined) return undefined;
  const root = skipProlog(text);
  if (isGnumeric(root)) return "gnumeric";
  return detectOfficeXml(root) === "abw" ? "abw" : undefined;
}

export function unpackStart(compressed: Buffer): Buffer | undefined {
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxSample };
    return gunzipSync(compressed, options);
  } catch {
    return undefined;
  }
}
