/** Reads the headers of sequential JPEG files with Huffman coding (ITU-T T.81). */

export interface JpegComponent {
  readonly id: number;
  /** Blocks of 8 × 8 samples in a unit, across and down. */
  readonly across: number;
  readonly down: number;
  /** Ids of its Huffman tables. */
  readonly dcTable: number;
  readonly acTable: number;
}

export interface HuffmanTable {
  /** How many codes have 1 to 16 bits. */
  readonly counts: readonly number[];
  /** By code, from short to long. */
  readonly symbols: Uint8Array;
}

export interface JpegSegment {
  readonly marker: number;
  /** Without marker and length. */
  readonly content: Buffer;
}

export interface JpegHeader {
  /** In the order of the file, from the first after SOI to SOS. */
  readonly segments: readonly JpegSegment[];
  readonly width: number;
  readonly height: number;
  readonly components: readonly JpegComponent[];
  readonly dcTables: ReadonlyMap<number, HuffmanTable>;
  readonly acTables: ReadonlyMap<number, HuffmanTable>;
  /** Units between two restart markers; 0 without them. */
  readonly restartInterval: number;
  /** Where the coded data begins in the file. */
  readonly dataStart: number;
}

export const markers = {
  sof0: 0xc0,
  sof1: 0xc1,
  dht: 0xc4,
  soi: 0xd8,
  eoi: 0xd9,
  sos: 0xda,
  dqt: 0xdb,
  dri: 0xdd,
  app0: 0xe0,
  app1: 0xe1,
  app2: 0xe2,
  app13: 0xed,
  app15: 0xef,
};

/** Whether the content of a segment begins with the name of what it holds. */
export function startsWith(content: Buffer, name: string): boolean {
  return content.toString("latin1", 0, name.length) === name;
}

/** Whether `segment` is the header of a sequential frame: size and components. */
export function isFrame({ marker }: JpegSegment): boolean {
  return marker === markers.sof0 || marker === markers.sof1;
}

/** Undefined if the file is not a sequential JPEG of 8 bits whose components are all in one scan. */
export function readJpegHeader(file: Buffer): JpegHeader | undefined {
  const segments = readSegments(file);
  const contentOf = (...wanted: number[]) =>
    segments?.find(({ marker }) => wanted.includes(marker))?.content;
  const frame = contentOf(markers.sof0, markers.sof1);
  const scan = contentOf(markers.sos);
  if (!segments || !frame || !scan || frame.length < 6 || frame[0] !== 8) return undefined;
  const components = readComponents(frame, scan);
  const [height, width] = [frame.readUInt16BE(1), frame.readUInt16BE(3)];
  if (!components || width === 0 || height === 0) return undefined;
  const dcTables = new Map<number, HuffmanTable>();
  const acTables = new Map<number, HuffmanTable>();
  for (const { marker, content } of segments) {
    if (marker === markers.dht) readTables(content, dcTables, acTables);
  }
  const interval = contentOf(markers.dri);
  const restartInterval = interval && interval.length >= 2 ? interval.readUInt16BE(0) : 0;
  const dataStart = scan.byteOffset - file.byteOffset + scan.length;
  return { segments, width, height, components, dcTables, acTables, restartInterval, dataStart };
}

function readSegments(file: Buffer): JpegSegment[] | undefined {
  const segments: JpegSegment[] = [];
  for (let at = 2; at + 4 <= file.length; ) {
    const marker = file[at + 1] ?? 0;
    if (file[at] !== 0xff) return undefined;
    if (marker === 0xff) {
      at++; // A fill byte.
      continue;
    }
    const length = file.readUInt16BE(at + 2);
    if (length < 2 || at + 2 + length > file.length) return undefined;
    segments.push({ marker, content: file.subarray(at + 4, at + 2 + length) });
    if (marker === markers.sos) return segments;
    at += 2 + length;
  }
  return undefined;
}

function readComponents(frame: Buffer, scan: Buffer): JpegComponent[] | undefined {
  const count = frame[5] ?? 0;
  if (scan[0] !== count || count < 1 || count > 4) return undefined;
  if (frame.length < 6 + count * 3 || scan.length < 4 + count * 2) return undefined;
  const components = Array.from({ length: count }, (_, index): JpegComponent => {
    const [sampling = 0, tables = 0] = [frame[7 + index * 3], scan[2 + index * 2]];
    const isSingle = count === 1;
    return {
      id: frame[6 + index * 3] ?? 0,
      across: isSingle ? 1 : sampling >> 4,
      down: isSingle ? 1 : sampling & 15,
      dcTable: tables >> 4,
      acTable: tables & 15,
    };
  });
  const isInOrder = components.every(({ id }, index) => id === scan[1 + index * 2]);
  const isSampled = components.every(
    ({ across, down }) => across >= 1 && across <= 4 && down >= 1 && down <= 4,
  );
  return isInOrder && isSampled ? components : undefined;
}

function readTables(
  content: Buffer,
  dcTables: Map<number, HuffmanTable>,
  acTables: Map<number, HuffmanTable>,
): void {
  for (let at = 0; at + 17 <= content.length; ) {
    const kind = content[at] ?? 0;
    const counts = [...content.subarray(at + 1, at + 17)];
    const total = counts.reduce((sum, value) => sum + value, 0);
    const symbols = Uint8Array.from(content.subarray(at + 17, at + 17 + total));
    (kind >> 4 === 0 ? dcTables : acTables).set(kind & 15, { counts, symbols });
    at += 17 + total;
  }
}
