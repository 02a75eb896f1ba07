import { z } from "zod";
import { workerFunction } from "#lib/engines/worker/worker-function.ts";

export const arrangeImages = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./arrange-images.ts")).arrangeImages,
  z.object({
    images: z.array(z.object({ page: z.number().int().positive(), hasInvertedMask: z.boolean() })),
  }),
);

export const applyMask = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./apply-mask.ts")).applyMask,
);
