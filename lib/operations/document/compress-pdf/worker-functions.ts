import { z } from "zod";
import { workerFunction } from "#lib/engines/worker/worker-function.ts";

export const compressDocument = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./compress-document.ts")).compressDocument,
  z.object({ images: z.number().int() }),
);
