import { encodeBlocks } from "./encode-blocks.ts";
import { type HuffmanTable, type JpegComponent, type JpegSegment, markers } from "./read-header.ts";

/**
 * A sequential JPEG file of `segments`, from the first after SOI to SOS, and `blocks` of 64
 * coefficients, whose components are those of `unit`, repeated. Its Huffman codes are new, and it has
 * no restart markers.
 */
export function writeJpeg(
  segments: readonly JpegSegment[],
  blocks: Int16Array,
  unit: readonly JpegComponent[],
): Buffer {
  const { data, dcTables, acTables } = encodeBlocks(blocks, unit);
  return Buffer.concat([
    Buffer.from([0xff, markers.soi]),
    ...segments.flatMap((segment) => {
      const { marker } = segment;
      if (marker === markers.dht || marker === markers.dri) return [];
      const tables =
        marker === markers.sos ? [writeTables(0, dcTables), writeTables(1, acTables)] : [];
      return [...tables, writeSegment(segment)];
    }),
    data,
    Buffer.from([0xff, markers.eoi]),
  ]);
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
