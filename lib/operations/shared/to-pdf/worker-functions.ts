import { z } from "zod";
import { workerFunction } from "#lib/engines/worker/worker-function.ts";

export const drawImages = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./image-pages.ts")).drawImages,
  z.object({ pages: z.number().int().positive() }),
);

export const listGlyphs = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./list-glyphs.ts")).listGlyphs,
);
