/** The number of glyphs of a TrueType font, as its table `maxp` has it (ISO/IEC 14496-22, 5.2.5); 0 if it is damaged. */
export function countGlyphs(font: Buffer): number {
  const tables = font.length >= headerBytes ? font.readUInt16BE(4) : 0;
  for (let table = 0; table < tables; table++) {
    const record = headerBytes + table * recordBytes;
    if (record + recordBytes > font.length) return 0;
    if (font.toString("latin1", record, record + 4) !== "maxp") continue;
    const offset = font.readUInt32BE(record + 8);
    return offset + 6 <= font.length ? font.readUInt16BE(offset + 4) : 0;
  }
  return 0;
}

const headerBytes = 12;
const recordBytes = 16;
