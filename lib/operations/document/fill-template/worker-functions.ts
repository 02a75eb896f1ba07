import { z } from "zod";
import { workerFunction } from "#lib/engines/worker/worker-function.ts";

export const fillFile = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./fill-task.ts")).fillFile,
  z.object({ missing: z.array(z.string()) }),
);
