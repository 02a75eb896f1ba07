import { z } from "zod";
import { workerFunction } from "#lib/engines/worker/worker-function.ts";

export const readSite = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./site-task.ts")).readSite,
  z.object({ names: z.array(z.string().max(1000)).max(1000) }),
);
