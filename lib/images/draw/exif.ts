/** The EXIF data of an image, which is a TIFF file. Only its first directory is read. */

interface Entry {
  readonly tag: number;
  readonly type: number;
  /** The number of values. */
  readonly length: number;
  /** Where the value is, or its offset if it has more than four bytes. */
  readonly at: number;
}

interface Directory {
  readonly data: Buffer;
  readonly isLittle: boolean;
  readonly read: (offset: number, bytes: 2 | 4) => number;
  readonly entries: readonly Entry[];
}

const header = "Exif\0\0";

function readDirectory(exif: Buffer): Directory {
  const start = exif.toString("latin1", 0, header.length) === header ? header.length : 0;
  const data = exif.subarray(start);
  const isLittle = data.toString("latin1", 0, 2) === "II";
  const read = (offset: number, bytes: 2 | 4) => {
    if (offset < 0 || offset + bytes > data.length) return 0;
    return isLittle ? data.readUIntLE(offset, bytes) : data.readUIntBE(offset, bytes);
  };
  const directory = read(4, 4);
  const count = Math.min(read(directory, 2), 200);
  const entries = Array.from({ length: count }, (_, index) => {
    const entry = directory + 2 + index * 12;
    return {
      tag: read(entry, 2),
      type: read(entry + 2, 2),
      length: read(entry + 4, 4),
      at: entry + 8,
    };
  });
  return { data, isLittle, read, entries };
}

const copyrightTags: Readonly<Record<number, "Artist" | "Copyright">> = {
  315: "Artist",
  33432: "Copyright",
};

const asciiType = 2;
const maxLength = 1000;

/** The tags of the photographer and the copyright. Empty if there are none, or the data is damaged. */
export function readCopyright(exif: Buffer | undefined): Record<string, string> {
  const found: Record<string, string> = {};
  if (!exif) return found;
  const { data, read, entries } = readDirectory(exif);
  for (const { tag, type, length, at } of entries) {
    const name = copyrightTags[tag];
    if (!name || type !== asciiType || length > maxLength) continue;
    const start = length <= 4 ? at : read(at, 4);
    const text = data
      .toString("utf8", start, start + length)
      .replaceAll("\0", "")
      .trim();
    if (text) found[name] = text;
  }
  return found;
}

const orientationTag = 274;
const shortType = 3;

/** A copy, without the header of JPEG files, that says that the image is upright. */
export function toUpright(exif: Buffer): Buffer {
  const { data, isLittle, entries } = readDirectory(Buffer.from(exif));
  for (const { tag, type, at } of entries) {
    if (tag !== orientationTag || type !== shortType || at + 2 > data.length) continue;
    if (isLittle) data.writeUInt16LE(1, at);
    else data.writeUInt16BE(1, at);
  }
  return data;
}
