import { z } from "zod";
import { workerFunction } from "../worker/worker-function.ts";

export const planChanges = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./plan-changes.ts")).planChanges,
  z.object({ encrypted: z.boolean() }),
);
