import { type Entry, openPromise } from "yauzl";
import { type ByteSource, withFileSource } from "#lib/media/byte-source.ts";
import { isEncryptedPackage, readRootStreams } from "../ole/ole.ts";
import { isZipDamage } from "../zip/zip-errors.ts";

/** The part of an OpenDocument manifest that is read. Each of its entries states its encryption. */
const maxManifestBytes = 64 * 1024;

/** Office files have fewer entries; the search stops here. */
const maxEntries = 10_000;

/** Whether the office file at `path` needs a password to open. False if it cannot be read. */
export function isEncryptedOffice(path: string): Promise<boolean> {
  return withFileSource(path, async (source) => {
    const isArchive = source.head.toString("latin1", 0, 2) === "PK";
    return isArchive ? hasEncryptedParts(path) : isEncryptedCompound(source);
  });
}

/** Each format marks encryption in another stream (MS-OFFCRYPTO). */
async function isEncryptedCompound(source: ByteSource): Promise<boolean> {
  const streams = await readRootStreams(source);
  const names = streams?.map(({ name }) => name) ?? [];
  if (isEncryptedPackage(names) || names.includes("EncryptedSummary")) return true;
  for (const { name, offset } of streams ?? []) {
    const start = await source.read(offset, 64);
    if (start.length < 64) continue;
    // Bit 8 of the FIB's flags (MS-DOC, 2.5.2).
    if (name === "WordDocument" && (start.readUInt16LE(10) & 0x100) !== 0) return true;
    if (name === "Workbook" && isFollowedByFilePass(start)) return true;
  }
  return false;
}

/**
 * FilePass is the first record after BOF, or the second after WriteProtect (MS-XLS, 2.1.7.20.1).
 */
function isFollowedByFilePass(start: Buffer): boolean {
  let offset = 0;
  for (let record = 0; record < 3 && offset + 4 <= start.length; record++) {
    if (start.readUInt16LE(offset) === 0x2f) return true;
    offset += 4 + start.readUInt16LE(offset + 2);
  }
  return false;
}

async function hasEncryptedParts(path: string): Promise<boolean> {
  try {
    const archive = await openPromise(path);
    let entries = 0;
    for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
      if (++entries > maxEntries) return false;
      // ODF 1.4 encrypts the whole document as one entry; earlier versions encrypt each entry.
      if (entry.fileName === "encrypted-package") return true;
      if (entry.fileName !== "META-INF/manifest.xml") continue;
      if (entry.uncompressedSize > 2 ** 24) return false;
      let manifest = "";
      for await (const chunk of await archive.openReadStreamPromise(entry)) {
        manifest += chunk;
        if (manifest.length > maxManifestBytes) break;
      }
      return manifest.includes("encryption-data");
    }
  } catch (error) {
    if (!isZipDamage(error)) throw error;
    return false; // damaged; later checks report it
  }
  return false;
}
