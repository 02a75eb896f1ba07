import { z } from "zod";

const count = z.number().int().positive();

export const imageInfoSchema = z.object({
  /** The format: `jpeg`, `png`, `webp`, `gif`, `avif`, `heic`, `tiff` or `svg`. */
  format: z.string().max(20),
  /** The width of one frame in pixels, before orientation. */
  width: count,
  height: count,
  /** The color space as libvips names it: `srgb b-w rgb16 grey16 cmyk lab …`. */
  space: z.string().max(20),
  channels: count,
  /** The type of a channel as libvips names it: `uchar` (8 bits), `ushort` (16), `float` … */
  depth: z.string().max(20),
  hasAlpha: z.boolean(),
  hasProfile: z.boolean(),
  /** The number of frames of an animation or pages of a TIFF. */
  pages: count,
  /** The value of the EXIF tag, normally 1 to 8. */
  orientation: z.number().int().optional(),
  /** Duration of each frame in milliseconds. */
  delay: z.array(z.number().int()).optional(),
  /** How often an animation plays; 0 is endless. */
  loop: z.number().int().optional(),
  /** The resolution in pixels per inch. */
  density: z.number().optional(),
});

export type ImageInfo = z.output<typeof imageInfoSchema>;
