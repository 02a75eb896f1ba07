import { DamagedDataError } from "#lib/media/damaged-data.ts";

/** How the numbers of a TIFF are stored. */
export interface TiffLayout {
  /** The number of `length` bytes at `at`. */
  uint(buffer: Buffer, at: number, length: number): number;
  /** Writes `value` as the first `length` bytes of `buffer`. */
  writeUint(buffer: Buffer, value: number, length: number): void;
  /** Bytes of the number of entries of a directory. */
  readonly countBytes: number;
  readonly entryBytes: number;
  readonly pointerBytes: number;
  /** Where the first directory starts. */
  readonly first: number;
}

/** The version of a TIFF file, of a BigTIFF file, and of a camera profile inside of a DNG. */
const versions = { tiff: 42, bigTiff: 43, profile: 0x4352 };

/** The layout that a header of 8 bytes (BigTIFF: 16) declares. Throws `DamagedDataError` if it is not a TIFF. */
export function readLayout(header: Buffer): TiffLayout {
  const mark = header.toString("latin1", 0, 2);
  const little = mark === "II";
  if (!little && mark !== "MM") throw new DamagedDataError("not a TIFF");
  const uint = (buffer: Buffer, at: number, length: number): number => {
    if (length === 8) {
      const value = little ? buffer.readBigUInt64LE(at) : buffer.readBigUInt64BE(at);
      return Number(value);
    }
    return little ? buffer.readUIntLE(at, length) : buffer.readUIntBE(at, length);
  };
  const writeUint = (buffer: Buffer, value: number, length: number): void => {
    const width = Math.min(length, 6);
    if (little) buffer.writeUIntLE(value, 0, width);
    else buffer.writeUIntBE(value, length - width, width);
  };
  const version = uint(header, 2, 2);
  if (!Object.values(versions).includes(version)) throw new DamagedDataError("not a TIFF");
  return version !== versions.bigTiff
    ? { uint, writeUint, countBytes: 2, entryBytes: 12, pointerBytes: 4, first: uint(header, 4, 4) }
    : {
        uint,
        writeUint,
        countBytes: 8,
        entryBytes: 20,
        pointerBytes: 8,
        first: uint(header, 8, 8),
      };
}

/** The entries of a directory, of which `bytes` begin with the first one. A tag may be there twice. */
export function splitEntries({ uint, entryBytes }: TiffLayout, bytes: Buffer, count: number) {
  const complete = Math.min(count, Math.floor(bytes.length / entryBytes));
  return Array.from({ length: complete }, (_, index) => {
    const entry = bytes.subarray(index * entryBytes, (index + 1) * entryBytes);
    return { tag: uint(entry, 0, 2), entry };
  });
}
