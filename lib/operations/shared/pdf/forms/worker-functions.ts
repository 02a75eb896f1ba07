import { z } from "zod";
import { workerFunction } from "#lib/engines/worker/worker-function.ts";

const load = () => import(/* turbopackIgnore: true */ "./fill-tasks.ts");

export const planTextBoxes = workerFunction(
  import.meta.url,
  async () => (await load()).planTextBoxes,
);

export const fillFields = workerFunction(
  import.meta.url,
  async () => (await load()).fillFields,
  z.object({
    removed_xfa: z.boolean(),
    calculates: z.boolean(),
    pages: z.number(),
  }),
);
