import { z } from "zod";
import { workerFunction } from "#lib/engines/worker/worker-function.ts";

const text = z.string().max(100_000);

export const mailSchema = z.object({
  from: text,
  to: text,
  cc: text,
  date: text,
  subject: text,
  attachments: z.array(z.object({ name: z.string().max(255), mime: z.string().max(500) })),
  omitsRemote: z.boolean(),
});

const load = () => import(/* turbopackIgnore: true */ "./mail-tasks.ts");

export const writeMailPage = workerFunction(
  import.meta.url,
  async () => (await load()).writeMailPage,
  mailSchema,
);

export const embedFiles = workerFunction(import.meta.url, async () => (await load()).embedFiles);
