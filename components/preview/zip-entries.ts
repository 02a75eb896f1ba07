/** A file in a ZIP archive. Folders are left out. */
export interface ZipEntry {
  readonly name: string;
  /** The size of the uncompressed file. */
  readonly bytes: number;
  /** The size in the archive. */
  readonly packedBytes: number;
  /** How it is packed: 0 is stored, 8 is deflate (APPNOTE.TXT, 4.4.5). */
  readonly method: number;
  readonly isEncrypted: boolean;
  /** Where its local header starts. */
  readonly start: number;
}

/** The end record with the longest comment (APPNOTE.TXT, 4.3.16). */
const maxEndBytes = 22 + 65_535;
/** A longer directory is not read. */
const maxDirectoryBytes = 4_000_000;

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;

/** Reads the bytes of the archive from `start` to before `end`. */
export type ReadRange = (start: number, end: number) => Promise<Uint8Array>;

/**
 * The files of an archive of `size` bytes, in the order of its directory. Only the directory at the end
 * of the archive is read. Undefined if it is no ZIP, has more than 65,535 files or a very long directory.
 */
export async function readZipEntries(
  size: number,
  read: ReadRange,
): Promise<ZipEntry[] | undefined> {
  const tail = viewOf(await read(Math.max(0, size - maxEndBytes), size));
  const end = findEnd(tail);
  if (end === undefined) return undefined;
  const count = tail.getUint16(end + 10, true);
  const length = tail.getUint32(end + 12, true);
  const start = tail.getUint32(end + 16, true);
  if (count === 0xffff || start + length > size || length > maxDirectoryBytes) return undefined;
  return parseDirectory(await read(start, start + length));
}

/** Where the end record starts: its last signature. */
function findEnd(view: DataView): number | undefined {
  for (let at = view.byteLength - 22; at >= 0; at--) {
    if (view.getUint32(at, true) === endSignature) return at;
  }
  return undefined;
}

function parseDirectory(bytes: Uint8Array): ZipEntry[] {
  const view = viewOf(bytes);
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at + 46 <= view.byteLength && view.getUint32(at, true) === entrySignature) {
    const nameBytes = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameBytes));
    if (!name.endsWith("/")) {
      entries.push({
        name,
        bytes: view.getUint32(at + 24, true),
        packedBytes: view.getUint32(at + 20, true),
        method: view.getUint16(at + 10, true),
        isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
        start: view.getUint32(at + 42, true),
      });
    }
    at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
