import { z } from "zod";
import { tagsResult } from "../../result-fields.ts";

/** What pipeline/file-inspect reports. Which fields there are depends on the kind of the file. */

const text = z.string().optional();
const number = z.number().optional();
const count = z.number().int().optional();
const flag = z.boolean().optional();
/** Of any type: a title of digits is read as a number. */
const tag = z.union([z.string(), z.number(), z.boolean(), z.array(z.unknown())]).optional();

const streamResult = z.strictObject({
  index: z.number().int(),
  type: z.string().describe("Such as `video`, `audio` or `subtitle`."),
  codec: text,
  profile: text,
  width: count,
  height: count,
  rotation: number.describe("In degrees, clockwise."),
  frame_rate: number.describe("Frames per second."),
  pixel_format: text,
  color_space: text,
  sample_rate: number.describe("In Hz."),
  channels: count,
  channel_layout: text,
  bit_rate: number.describe("In bits per second."),
  duration: number.describe("In seconds."),
  start_time: number.describe("In seconds."),
  frames: count,
  is_cover: flag.describe("Whether it is a cover picture."),
  is_default: z.boolean(),
  tags: tagsResult("Tags of the stream."),
});

const mediaFields = {
  container: text.describe("Of video and audio."),
  duration: number.describe("Of video and audio, in seconds."),
  bit_rate: number.describe("Of video and audio, in bits per second."),
  rotation: number.describe("Of video, in degrees, clockwise."),
  streams: z.array(streamResult).optional().describe("Of video and audio."),
  chapters: z
    .array(z.strictObject({ start: number, end: number, title: text }))
    .optional()
    .describe("Of video and audio. Times in seconds."),
};

const imageFields = {
  format: text.describe("Of images."),
  width: count.describe("Of images and video, in pixels."),
  height: count.describe("Of images and video, in pixels."),
  space: text.describe("Of images: the color space."),
  channels: count.describe("Of images."),
  depth: text.describe("Of images: the format of a sample, such as `uchar`."),
  has_alpha: flag.describe("Of images."),
  has_profile: flag.describe("Of images: whether there is a color profile."),
  orientation: count.describe("Of images: 1 to 8, as in EXIF."),
  delay: z.array(z.number()).optional().describe("Of animations: milliseconds of each frame."),
  loop: count.describe("Of animations: how often they are played; 0 for ever."),
  density: number.describe("Of images, in pixels per inch."),
  exif: tagsResult("Of images: the tags of EXIF.").optional(),
};

const documentFields = {
  encrypted: flag.describe("Of documents and archives."),
  pages: tag.describe("Of documents and images: the number of pages or frames."),
  page_sizes: z
    .array(z.strictObject({ width: z.number(), height: z.number() }))
    .optional()
    .describe("Of PDF, in points."),
  version: text.describe("Of PDF, such as `1.7`."),
  linearized: flag.describe("Of PDF."),
  tagged: flag.describe("Of PDF."),
  title: tag.describe("Of documents and pages."),
  author: tag.describe("Of documents."),
  subject: tag.describe("Of documents."),
  keywords: tag.describe("Of documents."),
  creator: text.describe("Of PDF: the program that wrote the source."),
  producer: text.describe("Of PDF: the program that wrote the PDF."),
  language: tag.describe("Of office documents."),
  application: tag.describe("Of office documents: the program that wrote them."),
  created_at: tag.describe("Of documents, RFC 3339."),
  modified_at: tag.describe("Of documents, RFC 3339."),
  slides: tag.describe("Of office documents."),
  words: tag.describe("Of office documents."),
  characters: tag.describe("Of office documents."),
};

const textFields = {
  encoding: text.describe("Of texts."),
  lines: count.describe("Of texts."),
  delimiter: text.describe("Of CSV."),
  columns: count.describe("Of CSV."),
};

export const inspectionResult = z.strictObject({
  type: z.string().describe("The type, such as `mp4`, detected from the content."),
  mime: z.string(),
  extension: z.string(),
  bytes: z.number().int(),
  sha256: z.string().nullable().describe("In hex; null for a URL that was read only in part."),
  readable: z.boolean().describe("Whether more than the type could be read."),
  problem: text.describe("Why it is not readable, such as `corrupt` or `encrypted`."),
  ...mediaFields,
  ...imageFields,
  ...documentFields,
  ...textFields,
  entries: count.describe("Of archives: the number of files."),
  unpacked_bytes: number.describe("Of archives: the size of the files."),
  tags: tagsResult("Other tags of the file.").optional(),
});

export type Inspected = z.input<typeof inspectionResult>;
