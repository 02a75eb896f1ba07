import type { JobErrorCode } from "#lib/errors.ts";
import type { PlanName } from "#lib/plans.ts";

/**
 * The limits on input files and on results: the only table of them. Engines enforce it, and the docs
 * print it. Limits on input files are the same on every plan; the size of a result depends on the plan.
 */

/** `formatAmount` prints `pixels`, `bytes`, `seconds` and `Hz` in larger units; `px` is a length. */
export type LimitUnit = string;

export interface FileLimit {
  readonly kind: "image" | "video and audio" | "PDF" | "office" | "HTML" | "result" | "time";
  /** What is limited, for the docs. */
  readonly description: string;
  readonly unit: LimitUnit;
  readonly max: number | Readonly<Record<PlanName, number>>;
  /** The code of the job that exceeds it; `invalid_parameter` rejects the request instead. */
  readonly code: JobErrorCode | "invalid_parameter";
  /** The job's public message; `{max}` is the formatted limit. */
  readonly message?: string;
}

const megabyte = 10 ** 6;
const gigabyte = 10 ** 9;

export const fileLimits = {
  imagePixels: {
    kind: "image",
    description: "Width × height, all frames or pages together",
    unit: "pixels",
    max: 100_000_000,
    code: "too_complex",
    message: "Images may have at most {max}.",
  },
  imageFrames: {
    kind: "image",
    description: "Frames of an animation, pages of a TIFF",
    unit: "frames",
    max: 10_000,
    code: "too_complex",
    message: "Images may have at most {max}.",
  },
  imageChannels: {
    kind: "image",
    description: "Channels, alpha included",
    unit: "channels",
    max: 5,
    code: "too_complex",
    message: "Images may have at most {max}.",
  },
  svgBytes: {
    kind: "image",
    description: "Size of an SVG file",
    unit: "bytes",
    max: 20 * megabyte,
    code: "too_complex",
    message: "SVG files may have at most {max}.",
  },
  textLength: {
    kind: "image",
    description: "Length of a text to render",
    unit: "characters",
    max: 500,
    code: "invalid_parameter",
  },
  framePixels: {
    kind: "video and audio",
    description: "Pixels of a frame (8192×4352, 8K)",
    unit: "pixels",
    // The largest frame of H.264 (level 6.2).
    max: 8192 * 4352,
    code: "too_complex",
    message: "This file is too complex. Frames may have at most {max} (8K).",
  },
  frameSide: {
    kind: "video and audio",
    description: "Width and height of a frame, each",
    unit: "px",
    max: 16_384,
    code: "too_complex",
    message: "This file is too complex. Frames may be at most {max} wide or high.",
  },
  frameRate: {
    kind: "video and audio",
    description: "Frame rate",
    unit: "frames per second",
    max: 1000,
    code: "too_complex",
    message: "This file is too complex. Videos may have at most {max}.",
  },
  duration: {
    kind: "video and audio",
    description: "Duration",
    unit: "seconds",
    max: 24 * 3600,
    code: "too_complex",
    message: "This file is too complex. Files may last at most {max}.",
  },
  streams: {
    kind: "video and audio",
    description: "Streams of a file",
    unit: "streams",
    max: 64,
    code: "too_complex",
    message: "This file is too complex. Files may have at most {max}.",
  },
  audioChannels: {
    kind: "video and audio",
    description: "Audio channels",
    unit: "channels",
    // 22.2 is the largest layout in use.
    max: 24,
    code: "too_complex",
    message: "This file is too complex. Audio may have at most {max}.",
  },
  sampleRate: {
    kind: "video and audio",
    description: "Sample rate",
    unit: "Hz",
    max: 768_000,
    code: "too_complex",
    message: "This file is too complex. Audio may have at most {max}.",
  },
  mediaHeaderBytes: {
    kind: "video and audio",
    description: "Tags, streams and chapters, as JSON",
    unit: "bytes",
    max: 16 * megabyte,
    code: "too_complex",
    message: "This file is too complex. It has too many tags, streams or chapters.",
  },
  metadataBytes: {
    kind: "image",
    description: "Metadata of a file, as JSON",
    unit: "bytes",
    max: 16 * megabyte,
    code: "too_complex",
    message: "The file has more metadata than can be read.",
  },
  pdfPages: {
    kind: "PDF",
    description: "Pages",
    unit: "pages",
    max: 100_000,
    code: "too_complex",
    message: "PDF files may have at most {max}.",
  },
  pdfStructureBytes: {
    kind: "PDF",
    description: "Objects, as JSON",
    unit: "bytes",
    max: 128 * megabyte,
    code: "too_complex",
    message: "The PDF has too many objects.",
  },
  officeEntries: {
    kind: "office",
    description: "Parts of a document",
    unit: "parts",
    max: 10_000,
    code: "too_complex",
    message: "The document has more than {max}.",
  },
  officeBytes: {
    kind: "office",
    description: "Size of a document, uncompressed",
    unit: "bytes",
    max: gigabyte,
    code: "too_complex",
    message: "The document is larger than {max} when it is uncompressed.",
  },
  officeRatio: {
    kind: "office",
    description: "Compression ratio of a document larger than 10 MB uncompressed",
    unit: "times",
    max: 100,
    code: "too_complex",
    message: "The uncompressed document is more than {max} larger than the file.",
  },
  officeTextBytes: {
    kind: "office",
    description: "Size of a text or CSV document",
    unit: "bytes",
    max: 20 * megabyte,
    code: "too_complex",
    message: "Text documents may have at most {max}.",
  },
  htmlBytes: {
    kind: "HTML",
    description: "Size of an HTML document",
    unit: "bytes",
    max: 50 * megabyte,
    code: "too_complex",
    message: "HTML documents may have at most {max}.",
  },
  htmlHeight: {
    kind: "HTML",
    description: "Height of a page; a page of A4 has about 1,050 pixels",
    unit: "px",
    max: 10_000_000,
    code: "too_complex",
    message: "The page is taller than {max}.",
  },
  htmlPdfBytes: {
    kind: "HTML",
    description: "Size of the PDF made from an HTML page",
    unit: "bytes",
    max: gigabyte,
    code: "too_complex",
    message: "The PDF of this page would be larger than {max}.",
  },
  resultBytes: {
    kind: "result",
    description: "Size of an output file",
    unit: "bytes",
    max: { free: gigabyte, pro: 8 * gigabyte, business: 32 * gigabyte, enterprise: 64 * gigabyte },
    code: "too_large",
    message: "The result would be larger than {max}.",
  },
  pageSeconds: {
    kind: "time",
    description: "Loading and printing an HTML page",
    unit: "seconds",
    max: 30,
    code: "timed_out",
    message: "The page was not ready within {max}.",
  },
  officeSeconds: {
    kind: "time",
    description: "Converting an office document",
    unit: "seconds",
    max: 180,
    code: "timed_out",
    message: "Processing took too long and was stopped.",
  },
  imageSeconds: {
    kind: "time",
    description: "Processing an image",
    unit: "seconds",
    max: 300,
    code: "timed_out",
    message: "Processing took too long and was stopped.",
  },
  pdfSeconds: {
    kind: "time",
    description: "Reading or rewriting a PDF",
    unit: "seconds",
    max: 300,
    code: "timed_out",
    message: "Processing took too long and was stopped.",
  },
} as const satisfies Record<string, FileLimit>;
