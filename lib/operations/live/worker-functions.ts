import { z } from "zod";
import { workerFunction } from "#lib/engines/worker/worker-function.ts";

/** Compares two images. The result is null if their sizes differ. */
export const compareImages = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./compare-images.ts")).compareImages,
  z.strictObject({ ssim: z.number().min(-1).max(1).nullable() }),
);
