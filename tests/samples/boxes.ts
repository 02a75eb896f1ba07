/** Films written or changed byte by byte. */

const containers = ["moov", "trak", "mdia", "minf", "dinf", "stbl", "edts", "udta"];

/**
 * An MP4 with `change` applied to the content of each box of that name; the boxes around it grow with
 * it. Sample offsets stay, so that nothing before the samples may change its length.
 */
export function changeBoxes(
  bytes: Buffer,
  name: string,
  change: (content: Buffer) => Buffer,
): Buffer {
  const written: Buffer[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = Math.max(8, bytes.readUInt32BE(at));
    const kind = bytes.toString("latin1", at + 4, at + 8);
    const content = bytes.subarray(at + 8, at + size);
    const isOuter = containers.includes(kind) && kind !== name;
    const inner = isOuter ? changeBoxes(content, name, change) : content;
    written.push(writeBox(kind, kind === name ? change(inner) : inner));
    at += size;
  }
  return Buffer.concat(written);
}

export function writeBox(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(name, 4, "latin1");
  return Buffer.concat([head, content]);
}

/** Writes `value` as 32 bits, big-endian, `offset` bytes after each `name` of a box. */
export function setInBoxes(bytes: Buffer, name: string, offset: number, value: number): Buffer {
  const changed = Buffer.from(bytes);
  for (let at = changed.indexOf(name); at !== -1; at = changed.indexOf(name, at + 4)) {
    changed.writeUInt32BE(value, at + offset);
  }
  return changed;
}

/** A chunk of a RIFF file, padded to an even length. */
export function riffChunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

export function riffList(name: string, type: string, ...chunks: Buffer[]): Buffer {
  return riffChunk(name, Buffer.concat([Buffer.from(type, "latin1"), ...chunks]));
}

/** Bytes of 16-bit (`h`) and 32-bit (`i`) little-endian numbers and of text, as `layout` says. */
export function pack(layout: string, ...values: (number | string)[]): Buffer {
  return Buffer.concat(
    values.map((value, index) => {
      if (typeof value === "string") return Buffer.from(value, "latin1");
      const bytes = Buffer.alloc(layout[index] === "h" ? 2 : 4);
      if (layout[index] === "h") bytes.writeUInt16LE(value);
      else bytes.writeUInt32LE(value);
      return bytes;
    }),
  );
}
