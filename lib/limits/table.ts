import type { FileLimit } from "./file-limit.ts";
import { mediaLimits } from "./media-table.ts";

/**
 * The limits on input files and on results: the only table of them. Engines enforce it, and the
 * docs print it. Limits on input files are the same on every plan; the size of a result depends on
 * the plan.
 */

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
    description: "Channels, alpha included; of a TIFF without selections and spot colors",
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
  ...mediaLimits,
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
