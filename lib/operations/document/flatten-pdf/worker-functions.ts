import { z } from "zod";
import { workerFunction } from "#lib/engines/worker/worker-function.ts";

export const separateAnnotations = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./flatten-tasks.ts")).separateAnnotations,
  z.object({ stored: z.number().int(), missing: z.number().int() }),
);

export const finishFlattening = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./flatten-tasks.ts")).finishFlattening,
);

export const writeUndrawnValues = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./undrawn-values.ts")).writeUndrawnValues,
  z.object({ count: z.number().int() }),
);
