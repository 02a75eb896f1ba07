import { readableSpace, readPixels } from "#lib/engines/image/frames.ts";
import {
  loadSharp,
  openImage,
  type SourceImage,
  translateVipsErrors,
} from "#lib/engines/image/open.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";

/** Larger images are searched on tiles of them, because each step encodes and decodes them. */
const maxPixels = 1_500_000;

const tileSide = 256;
const tilesPerRow = 4;

/**
 * An image with evenly spread tiles of `source`, on which a level can be searched faster; `source`
 * itself if it is small, animated or CMYK. It looks alike in quality and in bytes per pixel.
 */
export async function sampleImage(source: SourceImage, work: WorkFolder): Promise<SourceImage> {
  const { width, height, pages, space } = source;
  const side = tileSide * tilesPerRow;
  const isSmall = width * height <= maxPixels || width < side || height < side;
  if (isSmall || pages > 1 || space === "cmyk") return source;
  const pixels = await readPixels(source, source.pipeline(readableSpace(source)));
  const { channels, samples } = pixels;
  const tiles =
    samples instanceof Uint16Array
      ? new Uint16Array(side * side * channels)
      : Buffer.alloc(side * side * channels);
  const offsetOf = (tile: number, length: number) =>
    Math.floor((tile * (length - tileSide)) / (tilesPerRow - 1));
  for (let row = 0; row < side; row++) {
    const y = offsetOf(Math.floor(row / tileSide), height) + (row % tileSide);
    for (let tile = 0; tile < tilesPerRow; tile++) {
      const start = (y * width + offsetOf(tile, width)) * channels;
      const line = samples.subarray(start, start + tileSide * channels);
      tiles.set(line, (row * side + tile * tileSide) * channels);
    }
  }
  const sharp = await loadSharp();
  const file = work.scratch("png");
  const raw = { width: side, height: side, channels };
  // sharp detects 16 bits by the type of the array, but its types allow only bytes.
  const image = sharp(tiles as Buffer, { raw }).toColorspace(source.space);
  await translateVipsErrors(image.png({ compressionLevel: 1 }).toFile(file.path));
  return openImage(file, work.limits);
}
