import { z } from "zod";
import { workerFunction } from "../worker/worker-function.ts";

export const prepareOfficeInput = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./prepare-input.ts")).prepareOfficeInput,
  z.object({ options: z.string().max(200_000) }),
);
