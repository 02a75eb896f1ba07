/** Writes boxes of the ISO base media file format (ISO/IEC 14496-12). */

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
