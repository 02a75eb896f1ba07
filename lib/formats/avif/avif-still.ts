import { boxesIn } from "../iso-boxes/iso-boxes.ts";

/** An AVIF file with one image, that libheif wrote. */
export interface AvifStill {
  /** The content of its `meta` box, which describes its images. */
  readonly meta: Buffer;
  /** The colors, then the alpha if there is one. */
  readonly images: readonly Av1Image[];
}

/** An AV1 image of an AVIF file: what a track needs to have it as a frame. */
export interface Av1Image {
  /** The content of its `av1C` box. */
  readonly configuration: Buffer;
  /** Its OBUs, without the temporal delimiter, which samples of a track do not have. */
  readonly sample: Buffer;
}

/** Entries of `iloc`: id, data reference, base offset, number of extents, offset and length of one. */
const firstEntry = 8;
const entryBytes = 18;

/** A temporal delimiter with its size field (AV1 bitstream specification, 5.6). */
const temporalDelimiter = Buffer.from([0x12, 0x00]);

/** libheif writes `iloc` in version 0 with one extent per image, and `av1C` boxes in the same order. */
export function readAvifStill(file: Buffer): AvifStill {
  const meta = contentOf(file, "meta") ?? Buffer.alloc(4);
  const properties = contentOf(meta.subarray(4), "iprp") ?? Buffer.alloc(0);
  const configurations = contentsOf(contentOf(properties, "ipco") ?? Buffer.alloc(0), "av1C");
  const locations = contentOf(meta.subarray(4), "iloc");
  if (!locations) throw new Error("an AVIF file has no image");
  const images = Array.from({ length: locations.readUInt16BE(6) }, (_, index) => {
    const entry = firstEntry + index * entryBytes;
    const start = locations.readUInt32BE(entry + 4) + locations.readUInt32BE(entry + 10);
    const data = file.subarray(start, start + locations.readUInt32BE(entry + 14));
    const hasDelimiter = data.subarray(0, 2).equals(temporalDelimiter);
    // Colors and alpha share a box if their configuration is the same.
    const configuration = configurations[index] ?? configurations[0] ?? Buffer.alloc(4);
    return { configuration, sample: hasDelimiter ? data.subarray(2) : data };
  });
  return { meta, images };
}

/** The content of the `meta` box of `still` in a file in which its images are at `offsets`. */
export function moveImages({ meta, images }: AvifStill, offsets: readonly number[]): Buffer {
  const moved = Buffer.from(meta);
  const locations = contentOf(moved.subarray(4), "iloc");
  for (const [index, offset] of offsets.entries()) {
    const entry = firstEntry + index * entryBytes;
    locations?.writeUInt32BE(offset, entry + 4);
    locations?.writeUInt32BE(0, entry + 10);
    locations?.writeUInt32BE(images[index]?.sample.length ?? 0, entry + 14);
  }
  return moved;
}

/** The content of the first box of `wanted` type, as a view. */
function contentOf(bytes: Buffer, wanted: string): Buffer | undefined {
  return contentsOf(bytes, wanted)[0];
}

function contentsOf(bytes: Buffer, wanted: string): Buffer[] {
  return [...boxesIn(bytes)]
    .filter(({ type }) => type === wanted)
    .map(({ content, end }) => bytes.subarray(content, end));
}
