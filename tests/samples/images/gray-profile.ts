/** An ICC profile of gray with linear brightness (ICC.1:2001-04, 6.3.1). */
export function makeGrayProfile(): Buffer {
  const bytes = Buffer.alloc(196);
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.writeUInt32BE(0x02100000, 8);
  bytes.write("mntrGRAYXYZ ", 12, "latin1");
  bytes.write("acsp", 36, "latin1");
  const white = [0xf6d6, 0x1_0000, 0xd32d];
  for (const [index, value] of white.entries()) bytes.writeUInt32BE(value, 68 + 4 * index);
  bytes.writeUInt32BE(2, 128);
  bytes.write("wtpt", 132, "latin1");
  bytes.writeUInt32BE(156, 136);
  bytes.writeUInt32BE(20, 140);
  bytes.write("kTRC", 144, "latin1");
  bytes.writeUInt32BE(176, 148);
  bytes.writeUInt32BE(14, 152);
  bytes.write("XYZ ", 156, "latin1");
  for (const [index, value] of white.entries()) bytes.writeUInt32BE(value, 164 + 4 * index);
  bytes.write("curv", 176, "latin1");
  bytes.writeUInt32BE(1, 184);
  bytes.writeUInt16BE(0x0100, 188);
  return bytes;
}
