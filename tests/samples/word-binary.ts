/** The streams of a Word 97 document, as far as metadata goes: its text is one paragraph. */

/** Places in the table stream by their number in the information block (MS-DOC, 2.5.6). */
export type WordPlaces = Readonly<Record<number, Buffer>>;

const listAt = 154;
const placeCount = 136;
export const wordText = "Kept text\r";
const textAt = 2048;
const pageAt = 2560;

/** A table of 16-bit strings (MS-DOC, 2.2.4). */
export function wordTable(strings: readonly string[]): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt16LE(0xffff, 0);
  head.writeUInt16LE(strings.length, 2);
  return Buffer.concat([head, ...strings.map(xst)]);
}

/** A string of 16 bits with its length in front. */
export function xst(text: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16LE(text.length);
  return Buffer.concat([length, Buffer.from(text, "utf16le")]);
}

export interface WordOptions {
  readonly version?: number;
  readonly flags?: number;
  /** What is said of the run of the text (MS-DOC, 2.6.1). */
  readonly run?: Buffer;
}

export function wordStreams(
  places: WordPlaces,
  { version = 0xc1, flags = 0x200, run = Buffer.alloc(0) }: WordOptions = {},
): { WordDocument: Buffer; "1Table": Buffer } {
  const main = Buffer.alloc(pageAt + 512);
  main.writeUInt16LE(0xa5ec, 0);
  main.writeUInt16LE(version, 2);
  main.writeUInt16LE(flags, 10);
  main.writeUInt16LE(14, 32);
  main.writeUInt16LE(22, 62);
  main.writeUInt16LE(placeCount, 152);
  main.write(wordText, textAt, "latin1");
  // One page with one run: two positions, where it is described, and how many there are.
  main.writeUInt32LE(textAt, pageAt);
  main.writeUInt32LE(textAt + wordText.length, pageAt + 4);
  main.writeUInt8(100, pageAt + 8);
  main.writeUInt8(run.length, pageAt + 200);
  run.copy(main, pageAt + 201);
  main.writeUInt8(1, pageAt + 511);
  const runs = Buffer.alloc(12);
  runs.writeUInt32LE(textAt, 0);
  runs.writeUInt32LE(textAt + wordText.length, 4);
  runs.writeUInt32LE(pageAt / 512, 8);
  const parts: Buffer[] = [];
  let offset = 0;
  for (const [index, bytes] of Object.entries({ 12: runs, ...places })) {
    main.writeUInt32LE(offset, listAt + 8 * Number(index));
    main.writeUInt32LE(bytes.length, listAt + 8 * Number(index) + 4);
    parts.push(bytes);
    offset += bytes.length;
  }
  return { WordDocument: main, "1Table": Buffer.concat(parts) };
}

/** The place numbered `index` in a document's streams; empty where it has none. */
export function readPlace(main: Buffer, table: Buffer, index: number): Buffer {
  const offset = main.readUInt32LE(listAt + 8 * index);
  return table.subarray(offset, offset + main.readUInt32LE(listAt + 8 * index + 4));
}
