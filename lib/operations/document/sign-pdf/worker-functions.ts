import { z } from "zod";
import { workerFunction } from "#lib/engines/worker/worker-function.ts";

const load = () => import(/* turbopackIgnore: true */ "./sign-tasks.ts");

export const describeSigning = workerFunction(
  import.meta.url,
  async () => (await load()).describeSigning,
  z.object({
    name: z.string(),
    page: z.number(),
    width: z.number(),
    height: z.number(),
    has_field: z.boolean(),
  }),
);

export const signDocument = workerFunction(
  import.meta.url,
  async () => (await load()).signDocument,
  z.object({
    pages: z.number(),
    timestamp: z
      .object({ request: z.string(), nonce: z.string(), start: z.number(), end: z.number() })
      .nullable(),
  }),
);

export const stampDocument = workerFunction(
  import.meta.url,
  async () => (await load()).stampDocument,
);
