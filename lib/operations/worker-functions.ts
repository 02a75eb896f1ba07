import { z } from "zod";
import { workerFunction } from "#lib/engines/worker/worker-function.ts";

export const runOperations = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./operation-task.ts")).runOperations,
  z.record(z.string(), z.unknown()).optional(),
);
