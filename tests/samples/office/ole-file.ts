/** Streams by name, or by path such as `ObjectPool/_1/WordDocument`. */
export type OleContent = Readonly<Record<string, Buffer>>;

const sectorBytes = 512;
const endOfChain = 0xfffffffe;
const tableSector = 0xfffffffd;
const none = 0xffffffff;

interface Entry {
  readonly name: string;
  readonly kind: number;
  readonly content: Buffer;
  child: number;
  next: number;
}

/**
 * Makes a complete and valid OLE compound file (MS-CFB). Streams are padded with zeros to 4096 bytes,
 * so that there is no mini stream.
 */
export function makeOleFile(content: OleContent): Buffer {
  const entries: Entry[] = [
    { name: "Root Entry", kind: 5, content: Buffer.alloc(0), child: none, next: none },
  ];
  const add = (parent: number, name: string, kind: number, bytes: Buffer) => {
    const folder = entries[parent];
    // Siblings form a chain to the right: a valid, unbalanced tree.
    const entry = { name, kind, content: bytes, child: none, next: folder?.child ?? none };
    const id = entries.push(entry) - 1;
    if (folder) folder.child = id;
    return id;
  };
  const folders = new Map([["", 0]]);
  for (const [path, bytes] of Object.entries(content)) {
    const names = path.split("/");
    const name = names.pop() ?? "";
    let parent = 0;
    for (let depth = 1; depth <= names.length; depth++) {
      const key = names.slice(0, depth).join("/");
      const known = folders.get(key) ?? add(parent, names[depth - 1] ?? "", 1, Buffer.alloc(0));
      folders.set(key, known);
      parent = known;
    }
    const size = Math.max(4096, bytes.length);
    add(parent, name, 2, Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]));
  }
  return writeSectors(entries);
}

function writeSectors(entries: readonly Entry[]): Buffer {
  const sectors: Buffer[] = [];
  const table: number[] = [];
  const append = (bytes: Buffer): number => {
    const first = sectors.length;
    const count = Math.ceil(bytes.length / sectorBytes);
    for (let index = 0; index < count; index++) {
      const sector = Buffer.alloc(sectorBytes);
      bytes.copy(sector, 0, index * sectorBytes, (index + 1) * sectorBytes);
      sectors.push(sector);
      table.push(index + 1 < count ? first + index + 1 : endOfChain);
    }
    return first;
  };
  const starts = entries.map(({ content }) => (content.length > 0 ? append(content) : endOfChain));
  const directory = Buffer.alloc(512 * Math.ceil(entries.length / 4));
  for (let index = 0; index < directory.length / 128; index++) {
    writeEntry(directory.subarray(index * 128, (index + 1) * 128), entries[index], starts[index]);
  }
  const directoryStart = append(directory);
  // A free sector with old data, as programs leave it.
  table.push(none);
  sectors.push(Buffer.alloc(sectorBytes, "Secret leftover "));
  const tables = Math.ceil((sectors.length + 1) / 127);
  const tableStart = sectors.length;
  for (let index = 0; index < tables; index++) table.push(tableSector);
  const fat = Buffer.alloc(tables * sectorBytes, 0xff);
  for (const [index, next] of table.entries()) fat.writeUInt32LE(next, 4 * index);
  const header = Buffer.alloc(sectorBytes);
  header.write("d0cf11e0a1b11ae1", "hex");
  for (const [at, value] of [
    [0x18, 0x3e],
    [0x1a, 3],
    [0x1c, 0xfffe],
    [0x1e, 9],
    [0x20, 6],
  ] as const) {
    header.writeUInt16LE(value, at);
  }
  header.writeUInt32LE(tables, 0x2c);
  header.writeUInt32LE(directoryStart, 0x30);
  header.writeUInt32LE(4096, 0x38);
  header.writeUInt32LE(endOfChain, 0x3c);
  header.writeUInt32LE(endOfChain, 0x44);
  header.fill(0xff, 0x4c);
  for (let index = 0; index < tables; index++)
    header.writeUInt32LE(tableStart + index, 0x4c + 4 * index);
  return Buffer.concat([header, ...sectors, fat]);
}

function writeEntry(target: Buffer, entry: Entry | undefined, start = endOfChain): void {
  target.fill(0xff, 0x44, 0x50);
  if (!entry) return;
  target.write(entry.name, "utf16le");
  target.writeUInt16LE(entry.name.length * 2 + 2, 0x40);
  target.writeUInt8(entry.kind, 0x42);
  target.writeUInt32LE(entry.next, 0x48);
  target.writeUInt32LE(entry.child, 0x4c);
  // Dates of creation and change.
  if (entry.kind === 1) target.fill(0x11, 0x64, 0x74);
  target.writeUInt32LE(start, 0x74);
  target.writeUInt32LE(entry.content.length, 0x78);
}

/** Reads a stream in the root of a file by `makeOleFile`, which stores streams contiguously. */
export function readOleStream(file: Buffer, name: string): Buffer {
  const directory = sectorBytes * (file.readUInt32LE(0x30) + 1);
  for (let at = directory; at + 128 <= file.length; at += 128) {
    const length = file.readUInt16LE(at + 0x40) - 2;
    if (file.toString("utf16le", at, at + Math.max(0, length)) !== name) continue;
    const start = sectorBytes * (file.readUInt32LE(at + 0x74) + 1);
    return file.subarray(start, start + file.readUInt32LE(at + 0x78));
  }
  throw new Error(`no stream ${name}`);
}
