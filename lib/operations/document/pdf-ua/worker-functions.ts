import { z } from "zod";
import { workerFunction } from "#lib/engines/worker/worker-function.ts";

export const declareAccessible = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./declare-task.ts")).declareAccessible,
  z.object({ tagged: z.boolean() }),
);
