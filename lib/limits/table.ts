import type { JobErrorCode } from "#lib/errors.ts";

/**
 * The caps: what a file may be, and what may become of it. The one table of them, which engines read
 * and the docs print. What a file may be is the same on every plan; what a job may fill a disk with is not.
 */

/** `pixels`, `bytes`, `seconds` and `Hz` are told in larger units where that reads better; `px` is a length. */
export type LimitUnit = string;

export type CapPlan = "free" | "pro" | "business" | "enterprise";

export interface FileLimit {
  readonly kind: "image" | "video and sound" | "PDF" | "office" | "HTML" | "result" | "time";
  /** What is capped, for a table of caps. */
  readonly what: string;
  readonly unit: LimitUnit;
  readonly most: number | Readonly<Record<CapPlan, number>>;
  /** How a job past it fails; a request past it is refused where the code is `invalid_parameter`. */
  readonly code: JobErrorCode | "invalid_parameter";
  /** The job's public sentence; `{most}` is the cap in words. */
  readonly sentence?: string;
}

const megabyte = 10 ** 6;
const gigabyte = 10 ** 9;

export const fileLimits = {
  imagePixels: {
    kind: "image",
    what: "Width × height, all frames or pages together",
    unit: "pixels",
    most: 100_000_000,
    code: "too_complex",
    sentence: "Images may have at most {most}.",
  },
  imageFrames: {
    kind: "image",
    what: "Frames of an animation, pages of a TIFF",
    unit: "frames",
    most: 10_000,
    code: "too_complex",
    sentence: "Images may have at most {most}.",
  },
  imageChannels: {
    kind: "image",
    what: "Channels, alpha included",
    unit: "channels",
    most: 5,
    code: "too_complex",
    sentence: "Images may have at most {most}.",
  },
  svgBytes: {
    kind: "image",
    what: "Size of an SVG file",
    unit: "bytes",
    most: 20 * megabyte,
    code: "too_complex",
    sentence: "SVG files may have at most {most}.",
  },
  drawnText: {
    kind: "image",
    what: "Length of a text that is drawn",
    unit: "characters",
    most: 500,
    code: "invalid_parameter",
  },
  framePixels: {
    kind: "video and sound",
    what: "Pixels of a frame (8192×4352, 8K)",
    unit: "pixels",
    // The largest frame that a level of H.264 (6.2) has.
    most: 8192 * 4352,
    code: "too_complex",
    sentence: "This file is too complex. Frames may have at most {most} (8K).",
  },
  frameSide: {
    kind: "video and sound",
    what: "Width and height of a frame, each",
    unit: "px",
    most: 16_384,
    code: "too_complex",
    sentence: "This file is too complex. Frames may be at most {most} wide or high.",
  },
  frameRate: {
    kind: "video and sound",
    what: "Frame rate",
    unit: "frames per second",
    most: 1000,
    code: "too_complex",
    sentence: "This file is too complex. Videos may have at most {most}.",
  },
  duration: {
    kind: "video and sound",
    what: "Duration",
    unit: "seconds",
    most: 24 * 3600,
    code: "too_complex",
    sentence: "This file is too complex. Files may last at most {most}.",
  },
  streams: {
    kind: "video and sound",
    what: "Streams of a file",
    unit: "streams",
    most: 64,
    code: "too_complex",
    sentence: "This file is too complex. Files may have at most {most}.",
  },
  soundChannels: {
    kind: "video and sound",
    what: "Channels of a sound",
    unit: "channels",
    // 22.2 is the widest layout in use.
    most: 24,
    code: "too_complex",
    sentence: "This file is too complex. Sound may have at most {most}.",
  },
  sampleRate: {
    kind: "video and sound",
    what: "Sample rate",
    unit: "Hz",
    most: 768_000,
    code: "too_complex",
    sentence: "This file is too complex. Sound may have at most {most}.",
  },
  mediaHeaderBytes: {
    kind: "video and sound",
    what: "Tags, streams and chapters, told as text",
    unit: "bytes",
    most: 16 * megabyte,
    code: "too_complex",
    sentence: "This file is too complex. It has too many tags, streams or chapters.",
  },
  metadataBytes: {
    kind: "image",
    what: "Metadata of a file, told as text",
    unit: "bytes",
    most: 16 * megabyte,
    code: "too_complex",
    sentence: "The file has more metadata than can be read.",
  },
  pdfPages: {
    kind: "PDF",
    what: "Pages",
    unit: "pages",
    most: 100_000,
    code: "too_complex",
    sentence: "A PDF may have at most {most}.",
  },
  pdfStructureBytes: {
    kind: "PDF",
    what: "Objects, told as text",
    unit: "bytes",
    most: 128 * megabyte,
    code: "too_complex",
    sentence: "The PDF has too many objects.",
  },
  officeEntries: {
    kind: "office",
    what: "Parts of a document",
    unit: "parts",
    most: 10_000,
    code: "too_complex",
    sentence: "The document has more than {most}.",
  },
  officeBytes: {
    kind: "office",
    what: "Size of a document, unpacked",
    unit: "bytes",
    most: gigabyte,
    code: "too_complex",
    sentence: "The document unpacks to more than {most}.",
  },
  officeRatio: {
    kind: "office",
    what: "Size of a document of more than 10 MB, unpacked, by its size",
    unit: "times",
    most: 100,
    code: "too_complex",
    sentence: "The document unpacks to more than {most} its size.",
  },
  officeTextBytes: {
    kind: "office",
    what: "Size of a text or a table of text",
    unit: "bytes",
    most: 20 * megabyte,
    code: "too_complex",
    sentence: "A text document may have at most {most}.",
  },
  htmlBytes: {
    kind: "HTML",
    what: "Size of an HTML document",
    unit: "bytes",
    most: 50 * megabyte,
    code: "too_complex",
    sentence: "An HTML document may have at most {most}.",
  },
  htmlHeight: {
    kind: "HTML",
    what: "Height of a page; A4 paper holds some 1,050 of them",
    unit: "px",
    most: 10_000_000,
    code: "too_complex",
    sentence: "The page is taller than {most}.",
  },
  htmlPdfBytes: {
    kind: "HTML",
    what: "Size of the PDF that a page becomes",
    unit: "bytes",
    most: gigabyte,
    code: "too_complex",
    sentence: "The page makes a PDF of more than {most}.",
  },
  resultBytes: {
    kind: "result",
    what: "Size of a file that a job makes",
    unit: "bytes",
    most: { free: gigabyte, pro: 8 * gigabyte, business: 32 * gigabyte, enterprise: 64 * gigabyte },
    code: "too_large",
    sentence: "The result would be larger than {most}.",
  },
  pageSeconds: {
    kind: "time",
    what: "An HTML page, to be loaded and printed",
    unit: "seconds",
    most: 30,
    code: "timed_out",
    sentence: "The page was not ready within {most}.",
  },
  officeSeconds: {
    kind: "time",
    what: "An office document, to be converted",
    unit: "seconds",
    most: 180,
    code: "timed_out",
    sentence: "Processing took too long and was stopped.",
  },
  imageSeconds: {
    kind: "time",
    what: "An image",
    unit: "seconds",
    most: 300,
    code: "timed_out",
    sentence: "Processing took too long and was stopped.",
  },
  pdfSeconds: {
    kind: "time",
    what: "A PDF, to be read or rewritten",
    unit: "seconds",
    most: 300,
    code: "timed_out",
    sentence: "Processing took too long and was stopped.",
  },
} as const satisfies Record<string, FileLimit>;
