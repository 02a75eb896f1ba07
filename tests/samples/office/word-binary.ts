/** Streams of Word 97 documents with one paragraph of text, for tests of their metadata. */

/** Ranges of the table stream by their number in the file information block (MS-DOC, 2.5.6). */
export type WordRanges = Readonly<Record<number, Buffer>>;

const listAt = 154;
const rangeCount = 136;
/** The text of the document. */
export const wordText = "Kept text\r";
const textAt = 2048;
const pageAt = 2560;

/** Makes a table of 16-bit strings (MS-DOC, 2.2.4). */
export function makeStringTable(strings: readonly string[]): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt16LE(0xffff, 0);
  head.writeUInt16LE(strings.length, 2);
  return Buffer.concat([head, ...strings.map(makeXst)]);
}

/** Makes a 16-bit string with its length before it. */
export function makeXst(text: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16LE(text.length);
  return Buffer.concat([length, Buffer.from(text, "utf16le")]);
}

export interface WordOptions {
  readonly version?: number;
  readonly flags?: number;
  /** Properties of the run of text (MS-DOC, 2.6.1). */
  readonly run?: Buffer;
}

/** Makes the streams of a document with these ranges. */
export function makeWordStreams(
  ranges: WordRanges,
  { version = 0xc1, flags = 0x200, run = Buffer.alloc(0) }: WordOptions = {},
): { WordDocument: Buffer; "1Table": Buffer } {
  const main = Buffer.alloc(pageAt + 512);
  main.writeUInt16LE(0xa5ec, 0);
  main.writeUInt16LE(version, 2);
  main.writeUInt16LE(flags, 10);
  main.writeUInt16LE(14, 32);
  main.writeUInt16LE(22, 62);
  main.writeUInt16LE(rangeCount, 152);
  main.write(wordText, textAt, "latin1");
  // One page with one run: two positions, the offset of its properties, the number of runs.
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
  for (const [index, bytes] of Object.entries({ 12: runs, ...ranges })) {
    main.writeUInt32LE(offset, listAt + 8 * Number(index));
    main.writeUInt32LE(bytes.length, listAt + 8 * Number(index) + 4);
    parts.push(bytes);
    offset += bytes.length;
  }
  return { WordDocument: main, "1Table": Buffer.concat(parts) };
}

/** Reads the range numbered `index` from the streams of a document; may be empty. */
export function readWordRange(main: Buffer, table: Buffer, index: number): Buffer {
  const offset = main.readUInt32LE(listAt + 8 * index);
  return table.subarray(offset, offset + main.readUInt32LE(listAt + 8 * index + 4));
}
