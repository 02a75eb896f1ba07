/** Markers of a JPEG (ITU-T T.81, table B.1). */
const endOfImage = 0xd9;
const startOfScan = 0xda;

/** How a JPEG begins: the first marker, and a table, a header, metadata or a comment. */
const jpegStart = /\xff\xd8\xff[\xc0-\xc4\xdb\xdd\xe0-\xef\xfe]/g;

/** Sets every JPEG image inside of `bytes` to zeros. */
export function eraseJpegImages(bytes: Buffer): void {
  const text = bytes.toString("latin1");
  let end = 0;
  for (const { index } of text.matchAll(jpegStart)) {
    // It is inside of the last one, whose own preview it is.
    if (index < end) continue;
    end = findJpegEnd(bytes, index);
    bytes.fill(0, index, end);
  }
}

/** Where the JPEG from `start` on ends, or where it is damaged. */
function findJpegEnd(bytes: Buffer, start: number): number {
  let at = start + 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === endOfImage) return at + 2;
    at += 2 + bytes.readUInt16BE(at + 2);
    if (marker === startOfScan) at = findScanEnd(bytes, at);
  }
  return Math.min(at + 2, bytes.length);
}

/** The next marker that is neither a stuffed zero nor a restart. */
function findScanEnd(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? endOfImage;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}
