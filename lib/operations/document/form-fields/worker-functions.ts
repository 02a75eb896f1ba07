import { z } from "zod";
import { workerFunction } from "#lib/engines/worker/worker-function.ts";

import { fieldResult } from "./result.ts";

export const readForm = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./read-form.ts")).readForm,
  z.object({
    fields: z.array(fieldResult),
    has_xfa: z.boolean(),
  }),
);
