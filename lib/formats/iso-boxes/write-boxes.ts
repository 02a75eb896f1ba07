/** Reads and writes boxes of the ISO base media file format (ISO/IEC 14496-12). */

export function uint16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
}

export function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

export function uint64(...values: bigint[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [index, value] of values.entries()) bytes.writeBigUInt64BE(value, index * 8);
  return bytes;
}

/** `type` has four characters. */
export function box(type: string, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([uint32(body.length + 8), Buffer.from(type, "latin1"), body]);
}

export function fullBox(
  type: string,
  { version = 0, flags = 0 },
  ...content: Uint8Array[]
): Buffer {
  return box(type, uint32(version * 2 ** 24 + flags), ...content);
}

/** The content of the boxes in `bytes`, in order. */
export function readBoxes(bytes: Buffer): { type: string; content: Buffer }[] {
  const boxes = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    if (size < 8) break;
    const content = bytes.subarray(at + 8, at + size);
    boxes.push({ type: bytes.toString("latin1", at + 4, at + 8), content });
    at += size;
  }
  return boxes;
}
