import { z } from "zod";
import { workerFunction } from "../../worker/worker-function.ts";

export const convertSubtitles = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./convert-task.ts")).convertSubtitles,
  z.object({ cues: z.number().int().min(1) }),
);
