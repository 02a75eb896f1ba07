import { blocksOfUnit, decodeBlocks, unitSize } from "./decode-blocks.ts";
import { encodeBlocks } from "./encode-blocks.ts";
import { type HuffmanTable, type JpegSegment, markers, readJpegHeader } from "./read-header.ts";

/** In pixels. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * `box` of a JPEG file without loss: its blocks of coefficients, encoded again with Huffman codes, and
 * all metadata. Undefined if its top left corner is not that of a unit of blocks (8 or 16 pixels), if
 * the file is not sequential, or if it is damaged. The box is in the stored pixels, and inside.
 */
export function cropJpeg(file: Buffer, box: Box): Buffer | undefined {
  const header = readJpegHeader(file);
  if (!header) return undefined;
  const unit = unitSize(header);
  if (box.left % unit.width !== 0 || box.top % unit.height !== 0) return undefined;
  const blocks = decodeBlocks(file, header, {
    left: box.left / unit.width,
    top: box.top / unit.height,
    width: Math.ceil(box.width / unit.width),
    height: Math.ceil(box.height / unit.height),
  });
  if (!blocks) return undefined;
  const components = blocksOfUnit(header).flatMap((index) => header.components[index] ?? []);
  const { data, dcTables, acTables } = encodeBlocks(blocks, components);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...header.segments.flatMap((segment) => {
      const { marker } = segment;
      if (marker === markers.dht || marker === markers.dri) return [];
      const tables =
        marker === markers.sos ? [writeTables(0, dcTables), writeTables(1, acTables)] : [];
      return [...tables, writeSegment(resizeFrame(segment, box))];
    }),
    data,
    Buffer.from([0xff, markers.eoi]),
  ]);
}

/** The header of the frame with the size of the box; other segments as they are. */
function resizeFrame(segment: JpegSegment, { width, height }: Box): JpegSegment {
  if (segment.marker !== markers.sof0 && segment.marker !== markers.sof1) return segment;
  const content = Buffer.from(segment.content);
  content.writeUInt16BE(height, 1);
  content.writeUInt16BE(width, 3);
  return { ...segment, content };
}

/** `kind`: 0 for DC and 1 for AC coefficients. */
function writeTables(kind: 0 | 1, tables: ReadonlyMap<number, HuffmanTable>): Buffer {
  const contents = [...tables].map(([id, { counts, symbols }]) =>
    Buffer.from([kind * 16 + id, ...counts, ...symbols]),
  );
  return writeSegment({ marker: markers.dht, content: Buffer.concat(contents) });
}

function writeSegment({ marker, content }: JpegSegment): Buffer {
  const start = Buffer.from([0xff, marker, 0, 0]);
  start.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([start, content]);
}
