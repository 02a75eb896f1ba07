import { crc32 } from "node:zlib";

/** A part of a ZIP file. */
export interface ZipPart {
  readonly name: string;
  /** The stored bytes; deflate data if `claimedSize` is set. */
  readonly content: string | Buffer;
  /** The uncompressed size that its headers declare. */
  readonly claimedSize?: number;
  /** Whether its directory entry refers to the bytes of the first part. */
  readonly sharesFirst?: boolean;
}

/** Makes a ZIP file of uncompressed parts. */
export function makeZip(parts: readonly ZipPart[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claimedSize, sharesFirst } of parts) {
    const data = Buffer.from(content);
    const nameBytes = Buffer.from(name);
    const method = claimedSize === undefined ? 0 : 8;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(claimedSize ?? data.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const row = Buffer.alloc(14);
    row.writeUInt32LE(sharesFirst ? 0 : offset, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x00"), common, row, nameBytes);
    if (sharesFirst) continue;
    files.push(Buffer.from("PK\x03\x04"), common, nameBytes, data);
    offset += 30 + nameBytes.length + data.length;
  }
  const rows = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(Math.min(parts.length, 0xffff), 8);
  end.writeUInt16LE(Math.min(parts.length, 0xffff), 10);
  end.writeUInt32LE(rows.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, rows, end]);
}
