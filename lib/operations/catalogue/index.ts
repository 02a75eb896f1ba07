import { convert } from "../audio/convert/index.ts";
import { normalize } from "../audio/normalize/index.ts";
import type { Operation } from "../define.ts";
import { docToPdf } from "../document/doc-to-pdf/index.ts";
import { htmlToPdf } from "../document/html-to-pdf/index.ts";
import { sharpen } from "../image/sharpen/index.ts";
import { watermarkText } from "../image/watermark-text/index.ts";
import { fileInspect } from "../pipeline/file-inspect/index.ts";
import { stripMetadata } from "../pipeline/strip-metadata/index.ts";
import { videoWatermark } from "../pipeline/video-watermark/index.ts";
import { framerate } from "../video/framerate/index.ts";
import { overlayText } from "../video/overlay-text/index.ts";
import { previewClip } from "../video/preview-clip/index.ts";

/** The catalogue: the single source of routes, validation, documents, forms and tests. */
export const operations: readonly Operation[] = [
  htmlToPdf,
  docToPdf,
  watermarkText,
  sharpen,
  overlayText,
  previewClip,
  framerate,
  convert,
  normalize,
  videoWatermark,
  stripMetadata,
  fileInspect,
];

const byId = new Map(operations.map((operation) => [operation.id as string, operation]));

if (byId.size !== operations.length) throw new Error("two operations have the same id");

/** The operation at `id` (`image/sharpen`), if there is one. */
export function findOperation(id: string): Operation | undefined {
  return byId.get(id);
}
