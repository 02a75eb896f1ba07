/**
 * Makes a small OLE compound file (MS-CFB) with only what type detection reads. All streams in the
 * root begin with `content`. `loop` makes the tree of streams cyclic.
 */
export function makeSparseOleFile(
  streams: readonly string[],
  options: { directorySector?: number; loop?: boolean; content?: Buffer } = {},
): Buffer {
  const { directorySector = 1, loop = false, content = Buffer.alloc(64) } = options;
  const sectors = Math.ceil((streams.length + 1) / 4);
  const file = Buffer.alloc((directorySector + sectors + 1) * 512);
  const header = file.subarray(0, 512);
  header.write("d0cf11e0a1b11ae1", "hex");
  header.writeUInt16LE(0x3e, 0x18);
  header.writeUInt16LE(3, 0x1a);
  header.writeUInt16LE(0xfffe, 0x1c);
  header.writeUInt16LE(9, 0x1e);
  header.writeUInt16LE(6, 0x20);
  const tables = Math.ceil((directorySector + sectors) / 128);
  header.writeUInt32LE(tables, 0x2c);
  header.writeUInt32LE(directorySector, 0x30);
  header.fill(0xff, 0x4c);
  // Only the table that contains the directory exists: the others are never read.
  const table = Math.floor(directorySector / 128);
  header.writeUInt32LE(0, 0x4c + 4 * table);
  const entries = file.subarray(512, 1024).fill(0xff);
  for (let index = 0; index < sectors; index++) {
    const next = index + 1 < sectors ? directorySector + index + 1 : 0xfffffffe;
    entries.writeUInt32LE(next, 4 * ((directorySector + index) % 128));
  }
  const directory = file.subarray((directorySector + 1) * 512);
  ["Root Entry", ...streams].forEach((name, index) => {
    const entry = directory.subarray(index * 128, index * 128 + 128);
    entry.write(name, "utf16le");
    entry.writeUInt16LE(name.length * 2 + 2, 0x40);
    entry.writeUInt8(index === 0 ? 5 : 2, 0x42);
    entry.writeUInt32LE(0xffffffff, 0x44);
    const isLast = index === streams.length;
    // Siblings form a chain to the right: a valid, unbalanced tree.
    const next = isLast ? (loop ? 1 : 0xffffffff) : index + 1;
    entry.writeUInt32LE(index === 0 ? 0xffffffff : next, 0x48);
    entry.writeUInt32LE(index === 0 ? 1 : 0xffffffff, 0x4c);
    entry.writeUInt32LE(directorySector + sectors, 0x74);
    entry.writeUInt32LE(4096, 0x78);
  });
  return Buffer.concat([file, content, Buffer.alloc(4096 - content.length)]);
}
