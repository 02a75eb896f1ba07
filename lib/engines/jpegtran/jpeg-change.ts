import { z } from "zod";

const pixels = z.int().min(0).max(65_535);

/** How jpegtran changes the pixels of a JPEG. A worker asks for it, so that it is untrusted. */
export const jpegChangeSchema = z.strictObject({
  /** Moves all pixels so that an image of this EXIF orientation becomes upright, or cuts out a box. */
  pixels: z.union([
    z.strictObject({ orientation: z.int().min(2).max(8) }),
    z.strictObject({ left: pixels, top: pixels, width: pixels, height: pixels }),
  ]),
  isProgressive: z.boolean(),
});

export type JpegChange = z.output<typeof jpegChangeSchema>;
