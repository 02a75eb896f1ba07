/** Writes and changes ISO boxes and RIFF chunks byte by byte. */

const containers = ["moov", "trak", "mdia", "minf", "dinf", "stbl", "edts", "udta"];

/**
 * Applies `change` to the content of each box called `name` of an MP4, and adapts the sizes of the
 * boxes around it. Sample offsets stay, so boxes before the samples must keep their length.
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

/** Makes an ISO box. */
export function writeBox(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(name, 4, "latin1");
  return Buffer.concat([head, content]);
}

/** Writes `value` as 32 bits, big-endian, `offset` bytes after each occurrence of the box type `name`. */
export function setInBoxes(bytes: Buffer, name: string, offset: number, value: number): Buffer {
  const changed = Buffer.from(bytes);
  for (let at = changed.indexOf(name); at !== -1; at = changed.indexOf(name, at + 4)) {
    changed.writeUInt32BE(value, at + offset);
  }
  return changed;
}

/** Makes a RIFF chunk, padded to an even length. */
export function riffChunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** Makes a RIFF list of `chunks`. */
export function riffList(name: string, type: string, ...chunks: Buffer[]): Buffer {
  return riffChunk(name, Buffer.concat([Buffer.from(type, "latin1"), ...chunks]));
}

/** Encodes little-endian numbers of 16 (`h`) or 32 bits (`i`), as in `layout`, and text. */
export function packNumbers(layout: string, ...values: (number | string)[]): Buffer {
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
