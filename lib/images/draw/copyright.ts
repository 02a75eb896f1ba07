/** The copyright in the EXIF data of an image, which is kept when everything else is removed. */

const tags: Readonly<Record<number, "Artist" | "Copyright">> = {
  315: "Artist",
  33432: "Copyright",
};

const asciiType = 2;
const maxLength = 1000;

/** The tags of the photographer and the copyright. Empty if there are none, or the data is damaged. */
export function readCopyright(exif: Buffer | undefined): Record<string, string> {
  const found: Record<string, string> = {};
  if (!exif) return found;
  const start = exif.toString("latin1", 0, 6) === "Exif\0\0" ? 6 : 0;
  const data = exif.subarray(start);
  const isLittle = data.toString("latin1", 0, 2) === "II";
  const read = (offset: number, bytes: 2 | 4) => {
    if (offset < 0 || offset + bytes > data.length) return 0;
    return isLittle ? data.readUIntLE(offset, bytes) : data.readUIntBE(offset, bytes);
  };
  const directory = read(4, 4);
  const count = Math.min(read(directory, 2), 200);
  for (let index = 0; index < count; index++) {
    const entry = directory + 2 + index * 12;
    const name = tags[read(entry, 2)];
    const length = read(entry + 4, 4);
    if (!name || read(entry + 2, 2) !== asciiType || length > maxLength) continue;
    const at = length <= 4 ? entry + 8 : read(entry + 8, 4);
    const text = data
      .toString("utf8", at, at + length)
      .replaceAll("\0", "")
      .trim();
    if (text) found[name] = text;
  }
  return found;
}
