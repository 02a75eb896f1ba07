import { componentsOfUnit, decodeBlocks, unitSize } from "./decode-blocks.ts";
import { removePreviews } from "./previews.ts";
import { isFrame, type JpegSegment, readJpegHeader } from "./read-header.ts";
import { writeJpeg } from "./write-jpeg.ts";

/** In pixels. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * `box` of a JPEG file without loss: its blocks of coefficients, encoded again with Huffman codes, and
 * all metadata but previews, which show the whole image. Undefined if its top left corner is not that of
 * a unit of blocks (8 or 16 pixels), if the file is not sequential, or if it is damaged. The box is in the
 * stored pixels, and inside.
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
  const segments = removePreviews(header.segments).map((segment) => resizeFrame(segment, box));
  return writeJpeg(segments, blocks, componentsOfUnit(header));
}

/** The header of the frame with the size of the box; other segments as they are. */
function resizeFrame(segment: JpegSegment, { width, height }: Box): JpegSegment {
  if (!isFrame(segment)) return segment;
  const content = Buffer.from(segment.content);
  content.writeUInt16BE(height, 1);
  content.writeUInt16BE(width, 3);
  return { ...segment, content };
}
