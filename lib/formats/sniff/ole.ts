import type { ByteSource } from "#lib/media/byte-source.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { isEncryptedPackage, oleSignature, readRootNames } from "../ole/ole.ts";
import type { SniffHints } from "./text.ts";
import { hintedDocument } from "./zip.ts";

/**
 * Detects office files and MSG by the streams in the root of their OLE compound file. An encrypted Office
 * Open XML file is one too: its name decides which format it is, and DOCX is assumed without one.
 */
export async function detectOle(
  source: ByteSource,
  hints: SniffHints,
): Promise<MediaTypeId | undefined> {
  if (!source.head.subarray(0, 8).equals(oleSignature)) return undefined;
  const names = await readRootNames(source);
  // The directory is out of reach or damaged, so only the file's name can decide.
  if (!names) return hintedDocument(hints, /^((doc|xls|ppt)x?|msg)$/) ?? "unknown";
  if (isEncryptedPackage(names)) return hintedDocument(hints, /^(doc|xls|ppt)x$/) ?? "docx";
  if (names.includes("WordDocument")) return "doc";
  if (names.includes("PowerPoint Document")) return "ppt";
  // The properties of an Outlook item (MS-OXMSG, 2.4).
  if (names.includes("__properties_version1.0")) return "msg";
  return names.includes("Workbook") || names.includes("Book") ? "xls" : "unknown";
}
