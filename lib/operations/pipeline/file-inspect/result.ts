import { z } from "zod";
import { tagsResult } from "../../result-fields.ts";

/** What pipeline/file-inspect reports. Which fields there are depends on the kind of the file. */

const text = z.string().optional();
const number = z.number().optional();
const count = z.number().int().optional();
const flag = z.boolean().optional();
/** The value of a tag, of any type: a title of digits is read as a number. */
const tag = z.union([z.string(), z.number(), z.boolean(), z.array(z.unknown())]).optional();

const streamResult = z.strictObject({
  index: z.number().int(),
  type: z.string().describe("The kind of stream, such as `video`, `audio` or `subtitle`."),
  codec: text,
  profile: text,
  width: count,
  height: count,
  rotation: number.describe(
    "How far the picture is turned clockwise when it is shown, in degrees.",
  ),
  frame_rate: number.describe("The number of frames per second."),
  pixel_format: text,
  color_space: text,
  sample_rate: number.describe("The number of samples per second, in hertz."),
  channels: count,
  channel_layout: text,
  bit_rate: number.describe("The bit rate of the stream, in bits per second."),
  duration: number.describe("The length of the stream, in seconds."),
  start_time: number.describe("When the stream starts, in seconds."),
  frames: count,
  is_cover: flag.describe("Whether the stream is a cover picture."),
  is_default: z.boolean(),
  tags: tagsResult("The tags of the stream."),
});

const mediaFields = {
  container: text.describe("The container format of a video or audio file."),
  duration: number.describe("The length of a video or audio file, in seconds."),
  bit_rate: number.describe("The bit rate of a video or audio file, in bits per second."),
  rotation: number.describe("How far a video is turned clockwise when it is shown, in degrees."),
  streams: z.array(streamResult).optional().describe("The streams of a video or audio file."),
  chapters: z
    .array(z.strictObject({ start: number, end: number, title: text }))
    .optional()
    .describe("The chapters of a video or audio file. Their times are in seconds."),
};

const imageFields = {
  format: text.describe("The format of an image."),
  width: count.describe("The width of an image or video, in pixels."),
  height: count.describe("The height of an image or video, in pixels."),
  space: text.describe("The color space of an image."),
  channels: count.describe("The number of channels of an image, transparency included."),
  depth: text.describe("The number format of the samples of an image, such as `uchar`."),
  has_alpha: flag.describe("Whether an image has a channel for transparency."),
  has_profile: flag.describe("Whether an image has a color profile."),
  orientation: count.describe("The EXIF orientation of an image, 1 to 8."),
  delay: z
    .array(z.number())
    .optional()
    .describe("How long each frame of an animation is shown, in milliseconds."),
  loop: count.describe("How often an animation is played; 0 means for ever."),
  density: number.describe("The resolution of an image, in pixels per inch."),
  exif: tagsResult("The EXIF tags of an image.").optional(),
};

const documentFields = {
  encrypted: flag.describe("Whether a document or archive is encrypted."),
  pages: tag.describe("The number of pages of a document, or of frames or pages of an image."),
  page_sizes: z
    .array(z.strictObject({ width: z.number(), height: z.number() }))
    .optional()
    .describe("The size of each page of a PDF, in points."),
  version: text.describe("The version of PDF, such as `1.7`."),
  linearized: flag.describe(
    "Whether a PDF is linearized, so that a browser shows its first page while it loads.",
  ),
  tagged: flag.describe("Whether a PDF has tags, which describe its structure to screen readers."),
  title: tag.describe("The title of a document or web page."),
  author: tag.describe("The author of a document."),
  subject: tag.describe("The subject of a document."),
  keywords: tag.describe("The keywords of a document."),
  creator: text.describe("The program that wrote the source of a PDF."),
  producer: text.describe("The program that wrote a PDF."),
  language: tag.describe("The language of an office document."),
  application: tag.describe("The program that wrote an office document."),
  created_at: tag.describe("When a document was created, as in RFC 3339."),
  modified_at: tag.describe("When a document was last changed, as in RFC 3339."),
  slides: tag.describe("The number of slides of a presentation."),
  words: tag.describe("The number of words that an office document says it has."),
  characters: tag.describe("The number of characters that an office document says it has."),
};

const textFields = {
  encoding: text.describe("The character encoding of a text file."),
  lines: count.describe("The number of lines of a text file."),
  delimiter: text.describe("The character between the columns of a CSV file."),
  columns: count.describe("The number of columns of a CSV file."),
};

export const inspectionResult = z.strictObject({
  type: z.string().describe("The type, such as `mp4`, detected from the content."),
  mime: z.string(),
  extension: z.string(),
  bytes: z.number().int(),
  sha256: z
    .string()
    .nullable()
    .describe("The SHA-256 hash of the file in hex; null for a URL that was read only in part."),
  readable: z
    .boolean()
    .describe("Whether the content of the file could be read, and not only its type."),
  problem: text.describe("Why the file is not readable, such as `corrupt` or `encrypted`."),
  ...mediaFields,
  ...imageFields,
  ...documentFields,
  ...textFields,
  entries: count.describe("The number of files in an archive."),
  unpacked_bytes: number.describe("The size of the unpacked files of an archive, in bytes."),
  tags: tagsResult("The other tags of the file.").optional(),
});

export type Inspected = z.input<typeof inspectionResult>;
