import { z } from "zod";
import { workerFunction } from "#lib/engines/worker/worker-function.ts";

const load = () => import(/* turbopackIgnore: true */ "./container-tasks.ts");

export const findEncryption = workerFunction(
  import.meta.url,
  async () => (await load()).findEncryption,
  z.object({ encrypted: z.boolean() }),
);

export const readArchive = workerFunction(
  import.meta.url,
  async () => (await load()).readArchive,
  z.object({
    entries: z.number().int().min(0),
    unpackedBytes: z.number().min(0),
    encrypted: z.boolean(),
  }),
);
