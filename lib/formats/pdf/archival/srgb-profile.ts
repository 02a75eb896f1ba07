/**
 * The ICC profile of sRGB (IEC 61966-2-1) in version 2 of the format, which is the newest that PDF/A-1
 * allows.
 */
export function makeSrgbProfile(): Buffer {
  const curve = toneCurve();
  const tags: [name: string, data: Buffer][] = [
    ["desc", description("sRGB IEC61966-2.1")],
    ["cprt", Buffer.from("text\0\0\0\0No copyright, use freely.\0", "latin1")],
    ["wtpt", xyz(0.9505, 1, 1.0891)],
    // Adapted to the white point D50 of profiles.
    ["rXYZ", xyz(0.4360747, 0.2225045, 0.0139322)],
    ["gXYZ", xyz(0.3850649, 0.7168786, 0.0971045)],
    ["bXYZ", xyz(0.1430804, 0.0606169, 0.7141733)],
    ["rTRC", curve],
    ["gTRC", curve],
    ["bTRC", curve],
  ];
  const table = Buffer.alloc(4 + 12 * tags.length);
  table.writeUInt32BE(tags.length);
  const parts: Buffer[] = [];
  const offsets = new Map<Buffer, number>();
  let offset = headerBytes + table.length;
  for (const [index, [name, data]] of tags.entries()) {
    const at = 4 + 12 * index;
    const known = offsets.get(data);
    table.write(name, at, "latin1");
    table.writeUInt32BE(known ?? offset, at + 4);
    table.writeUInt32BE(data.length, at + 8);
    if (known !== undefined) continue;
    offsets.set(data, offset);
    const padded = Buffer.concat([data, Buffer.alloc(-data.length & 3)]);
    parts.push(padded);
    offset += padded.length;
  }
  return Buffer.concat([header(offset), table, ...parts]);
}

const headerBytes = 128;

function header(size: number): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  bytes.writeUInt32BE(size);
  bytes.writeUInt32BE(0x02100000, 8);
  bytes.write("mntrRGB XYZ ", 12, "latin1");
  for (const [index, part] of [2026, 1, 1].entries()) bytes.writeUInt16BE(part, 24 + 2 * index);
  bytes.write("acsp", 36, "latin1");
  xyz(0.9642, 1, 0.8249).copy(bytes, 68, 8);
  return bytes;
}

/** Numbers with 16 binary digits after the point. */
function xyz(...values: readonly [number, number, number]): Buffer {
  const bytes = Buffer.alloc(20);
  bytes.write("XYZ ", "latin1");
  for (const [index, value] of values.entries()) {
    bytes.writeInt32BE(Math.round(value * 65_536), 8 + 4 * index);
  }
  return bytes;
}

function description(text: string): Buffer {
  const bytes = Buffer.alloc(12 + text.length + 1 + 78);
  bytes.write("desc", "latin1");
  bytes.writeUInt32BE(text.length + 1, 8);
  bytes.write(text, 12, "latin1");
  return bytes;
}

const curvePoints = 1024;

function toneCurve(): Buffer {
  const bytes = Buffer.alloc(12 + 2 * curvePoints);
  bytes.write("curv", "latin1");
  bytes.writeUInt32BE(curvePoints, 8);
  for (let index = 0; index < curvePoints; index++) {
    const value = index / (curvePoints - 1);
    const linear = value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    bytes.writeUInt16BE(Math.round(linear * 65_535), 12 + 2 * index);
  }
  return bytes;
}
