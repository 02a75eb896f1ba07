import type { CheckedEngine } from "#lib/db/schema/operator/checked-engines.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { emptyPdf, htmlPage, pngImage, rtfDocument, toneWav } from "./check-inputs.ts";

/** A small, real conversion that shows whether an engine works. */
export interface StatusCheckJob {
  readonly operation: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly filename: string;
  readonly type: MediaTypeId;
  readonly bytes: () => Buffer;
  /** The engines that it needs, as runners report them. Without them it is not run. */
  readonly requires: readonly string[];
  /** The Content-Type of its output. */
  readonly produces: string;
  /** An engine that worked longer is slow. Several times what it takes on two busy cores. */
  readonly slowMs: number;
}

export const statusCheckJobs: Readonly<Record<CheckedEngine, StatusCheckJob>> = {
  image: {
    operation: "image/resize",
    params: { width: 16 },
    filename: "check.png",
    type: "png",
    bytes: () => pngImage,
    requires: ["image"],
    produces: "image/png",
    slowMs: 5000,
  },
  ffmpeg: {
    operation: "audio/convert",
    params: { format: "mp3" },
    filename: "check.wav",
    type: "wav",
    bytes: toneWav,
    requires: ["ffmpeg", "ffprobe"],
    produces: "audio/mpeg",
    slowMs: 8000,
  },
  chromium: {
    operation: "document/html-to-pdf",
    params: {},
    filename: "check.html",
    type: "html",
    bytes: () => htmlPage,
    requires: ["chromium"],
    produces: "application/pdf",
    slowMs: 15_000,
  },
  libreoffice: {
    operation: "document/doc-to-pdf",
    params: {},
    filename: "check.rtf",
    type: "rtf",
    bytes: () => rtfDocument,
    requires: ["libreoffice"],
    produces: "application/pdf",
    slowMs: 30_000,
  },
  pdf: {
    operation: "document/rotate-pdf",
    params: { angle: 90 },
    filename: "check.pdf",
    type: "pdf",
    bytes: emptyPdf,
    requires: ["qpdf"],
    produces: "application/pdf",
    slowMs: 8000,
  },
};

/** How often the checks run. */
export const checkIntervalSeconds = 300;

/** A check without a newer result is stale: three runs gave none. */
export const staleSeconds = 3 * checkIntervalSeconds;
