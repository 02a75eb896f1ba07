import { type Entry, openPromise } from "yauzl";
import { type ByteSource, withFileSource } from "#lib/media/byte-source.ts";
import { isEncryptedPackage, readRootStreams } from "#lib/media/sniff/ole.ts";

/** The most of an OpenDocument manifest that is read; encryption is noted beside each part. */
const maxManifestBytes = 64 * 1024;

/** No office file has more; what has is not read to its end. */
const maxParts = 10_000;

/** Whether the office file at `path` needs a password to open. What cannot be read counts as open. */
export function isLocked(path: string): Promise<boolean> {
  return withFileSource(path, async (source) => {
    const isArchive = source.head.toString("latin1", 0, 2) === "PK";
    return isArchive ? hasEncryptedParts(path) : isLockedCompound(source);
  });
}

/** MS-OFFCRYPTO: each format has a place of its own where it says so. */
async function isLockedCompound(source: ByteSource): Promise<boolean> {
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

/** FilePass is the first record after BOF, or the second after WriteProtect (MS-XLS, 2.1.7.20.1). */
function isFollowedByFilePass(start: Buffer): boolean {
  let at = 0;
  for (let record = 0; record < 3 && at + 4 <= start.length; record++) {
    if (start.readUInt16LE(at) === 0x2f) return true;
    at += 4 + start.readUInt16LE(at + 2);
  }
  return false;
}

async function hasEncryptedParts(path: string): Promise<boolean> {
  try {
    const archive = await openPromise(path);
    let parts = 0;
    for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
      if (++parts > maxParts) return false;
      // ODF 1.4 wraps the whole document in one part; before, each part is encrypted by itself.
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
  } catch {
    return false; // damaged, which others will find
  }
  return false;
}
