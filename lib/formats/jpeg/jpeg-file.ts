/** Reads and writes the structure of JPEG files (ITU-T T.81): segments, and the coded data between them. */

export interface JpegSegment {
  readonly marker: number;
  /** The content without marker and length. */
  readonly content: Buffer;
  /** The coded data of a scan, with its restart markers. */
  readonly scan?: Buffer;
}

export interface JpegFile {
  /** The segments from the first after SOI to the last before EOI. */
  readonly segments: readonly JpegSegment[];
  /** The stored size in pixels. */
  readonly width: number;
  readonly height: number;
  readonly isProgressive: boolean;
  /** The size in pixels of what a scan codes at once (T.81: a minimum coded unit), 8 to 32. */
  readonly unit: { readonly width: number; readonly height: number };
}

export const markers = {
  soi: 0xd8,
  eoi: 0xd9,
  sos: 0xda,
  app0: 0xe0,
  app1: 0xe1,
  app2: 0xe2,
  app13: 0xed,
  app15: 0xef,
};

/** Headers of frames whose coefficients stay in their order: sequential and progressive ones, also with arithmetic codes. */
const frameMarkers: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2, 0xc9, 0xca]);
const progressiveMarkers: ReadonlySet<number> = new Set([0xc2, 0xca]);

/** Whether the content of a segment begins with the name of what it holds. */
export function startsWith(content: Buffer, name: string): boolean {
  return content.toString("latin1", 0, name.length) === name;
}

/**
 * Reads a JPEG. Returns undefined if the file is not a JPEG of 8 bits per sample, is lossless or
 * hierarchical, has no end or is damaged. What follows its end, such as further pictures, is left
 * out.
 */
export function readJpeg(file: Buffer): JpegFile | undefined {
  const segments = readSegments(file);
  const frame = segments?.find(({ marker }) => frameMarkers.has(marker));
  if (!segments || !frame) return undefined;
  const { marker, content } = frame;
  const unit = readUnit(content);
  if (!unit || content[0] !== 8) return undefined;
  const height = content.readUInt16BE(1);
  const width = content.readUInt16BE(3);
  if (width === 0 || height === 0) return undefined;
  return { segments, width, height, isProgressive: progressiveMarkers.has(marker), unit };
}

export function writeJpeg(segments: readonly JpegSegment[]): Buffer {
  const written = segments.flatMap(({ marker, content, scan }) => {
    const start = Buffer.from([0xff, marker, 0, 0]);
    start.writeUInt16BE(content.length + 2, 2);
    return scan ? [start, content, scan] : [start, content];
  });
  const start = Buffer.from([0xff, markers.soi]);
  const end = Buffer.from([0xff, markers.eoi]);
  return Buffer.concat([start, ...written, end]);
}

function readSegments(file: Buffer): JpegSegment[] | undefined {
  if (file[0] !== 0xff || file[1] !== markers.soi) return undefined;
  const segments: JpegSegment[] = [];
  for (let at = 2; at + 2 <= file.length; ) {
    const marker = file[at + 1] ?? 0;
    if (file[at] !== 0xff) return undefined;
    if (marker === 0xff) {
      at++; // A fill byte.
      continue;
    }
    if (marker === markers.eoi) return segments;
    if (at + 4 > file.length) return undefined;
    const length = file.readUInt16BE(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > file.length) return undefined;
    const content = file.subarray(at + 4, end);
    at = marker === markers.sos ? findScanEnd(file, end) : end;
    segments.push({ marker, content, ...(at > end ? { scan: file.subarray(end, at) } : {}) });
  }
  return undefined;
}

/** Where the next marker is that is not part of the coded data, or the end of the file. */
function findScanEnd(file: Buffer, start: number): number {
  for (let at = file.indexOf(0xff, start); at >= 0; ) {
    const next = file[at + 1] ?? 0;
    const isFill = next === 0xff;
    const isCoded = next === 0 || (next >= 0xd0 && next <= 0xd7);
    if (!isFill && !isCoded) return at;
    at = isFill ? at + 1 : file.indexOf(0xff, at + 2);
  }
  return file.length;
}

/**
 * Reads the size of a unit. Returns undefined if the header of a frame has no component, more than
 * four, or sampling factors of no meaning.
 */
function readUnit(frame: Buffer): JpegFile["unit"] | undefined {
  const count = frame[5] ?? 0;
  if (count < 1 || count > 4 || frame.length < 6 + count * 3) return undefined;
  const samplings = Array.from({ length: count }, (_, index) => frame[7 + index * 3] ?? 0);
  const across = samplings.map((sampling) => sampling >> 4);
  const down = samplings.map((sampling) => sampling & 15);
  if ([...across, ...down].some((factor) => factor < 1 || factor > 4)) return undefined;
  // A single component has units of one block, with any factors.
  if (count === 1) return { width: 8, height: 8 };
  return { width: 8 * Math.max(...across), height: 8 * Math.max(...down) };
}
