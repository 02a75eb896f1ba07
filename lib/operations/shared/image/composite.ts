import { storageOf, toStoredBox } from "#lib/engines/image/box.ts";
import {
  loadSharp,
  type NativeSpace,
  type Sharp,
  type SourceImage,
  translateVipsErrors,
} from "#lib/engines/image/open.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { blendRegion } from "./blend-region.ts";
import { buildXorMask } from "./mask.ts";
import { readRegion } from "./region.ts";

/**
 * Overlays a small image on another one, in a worker. Pixels outside the overlay remain unchanged
 * bit by bit, for every depth, color space and transparency.
 */

/** RGBA, 8 bits, not premultiplied. */
export interface Overlay {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * A pipeline of `source` with `overlay` on each frame. `position` is the top left corner in the
 * displayed image; the overlay must be completely inside. Its sRGB colors are converted to those of
 * the image.
 */
export async function overlayImage(
  source: SourceImage,
  overlay: Overlay,
  position: { left: number; top: number },
  work: WorkFolder,
): Promise<Sharp> {
  const space = chooseColorSpace(source, overlay);
  const { box, stored } = orientOverlay(source, overlay, position);
  const colors = await convertOverlayColors(source, space, stored, work);
  const region = await readRegion(source, box, space);
  const pixels = { ...colors, alpha: stored.data };
  // GIF has no partial transparency, so half-transparent pixels on transparent ones would be lost.
  const changes = blendRegion(region, pixels, source.metadata.format === "gif");
  // XOR with zero changes nothing, whereas sharp's `composite` converts all pixels to 8-bit sRGB.
  const mask = await buildXorMask(source, box, changes);
  return source.pipeline(space).boolean(mask.input, "eor", mask.options);
}

const isGrayscale = (space: NativeSpace) => space === "b-w" || space === "grey16";

/**
 * The color space of the image. A grayscale image without a profile becomes RGB for a colored
 * overlay.
 */
function chooseColorSpace({ space, metadata }: SourceImage, { data }: Overlay): NativeSpace {
  if (!isGrayscale(space) || metadata.hasProfile) return space;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] !== 0 && (data[i] !== data[i + 1] || data[i] !== data[i + 2])) {
      return space === "b-w" ? "srgb" : "rgb16";
    }
  }
  return space;
}

/** The overlay, oriented like the stored pixels so that it is displayed upright, and its region. */
function orientOverlay(
  source: SourceImage,
  overlay: Overlay,
  position: { left: number; top: number },
) {
  const { swap, mirrorX, mirrorY } = storageOf(source);
  const width = swap ? overlay.height : overlay.width;
  const height = swap ? overlay.width : overlay.height;
  const data = Buffer.alloc(overlay.data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const displayedX = mirrorX ? width - 1 - x : x;
      const displayedY = mirrorY ? height - 1 - y : y;
      const from = swap
        ? displayedX * overlay.width + displayedY
        : displayedY * overlay.width + displayedX;
      data.writeUInt32LE(overlay.data.readUInt32LE(from * 4), (y * width + x) * 4);
    }
  }
  const size = { width: overlay.width, height: overlay.height };
  const box = toStoredBox(source, { ...position, ...size });
  return { box, stored: { data, width, height } };
}

/** The colors of the overlay in the color space of the image, without alpha, 0 to 255. */
async function convertOverlayColors(
  source: SourceImage,
  space: NativeSpace,
  { data, width, height }: Overlay,
  work: WorkFolder,
): Promise<{ colors: Buffer; channels: number }> {
  const sharp = await loadSharp();
  const opened = sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha();
  const profile = source.metadata.icc;
  if (isGrayscale(space)) opened.toColorspace("b-w");
  else if (profile) {
    const file = work.scratch("icc");
    await writeNew(file.path, profile);
    opened.withIccProfile(file.path);
  } else if (space === "cmyk") opened.withIccProfile("cmyk");
  const converted = await translateVipsErrors(opened.raw().toBuffer({ resolveWithObject: true }));
  return { colors: converted.data, channels: converted.info.channels };
}
