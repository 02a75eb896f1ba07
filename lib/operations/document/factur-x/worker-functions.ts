import { z } from "zod";
import { workerFunction } from "#lib/engines/worker/worker-function.ts";

export const embedInvoice = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./embed-task.ts")).embedInvoice,
  z.object({ replaced: z.boolean() }),
);
