import { z } from "zod";
import { workerFunction } from "#lib/engines/worker/worker-function.ts";

export const convertFile = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./convert-task.ts")).convertFile,
  z.object({ omittedPictures: z.number().int().nonnegative() }),
);
