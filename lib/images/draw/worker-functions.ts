import { workerFunction } from "#lib/engines/worker/worker-function.ts";
import { type Drawn, type DrawOptions, drawnSchema } from "./options.ts";

/** What a sandboxed worker does for a picture. */

/** Draws a picture from the image in the first file and the watermarks in the others, as one output. */
export const drawPicture = workerFunction<DrawOptions, Drawn>(
  import.meta.url,
  async () => (await import("./draw-picture.ts")).drawPicture,
  drawnSchema,
);
