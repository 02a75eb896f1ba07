import { workerFunction } from "#lib/engines/worker/worker-function.ts";

import { cleanedSchema, redactedSchema, remainingSchema } from "./results.ts";

const load = () => import(/* turbopackIgnore: true */ "./tasks.ts");

export const prepareRedaction = workerFunction(
  import.meta.url,
  async () => (await load()).prepareRedaction,
  cleanedSchema,
);

export const redactPages = workerFunction(
  import.meta.url,
  async () => (await load()).redactPages,
  redactedSchema,
);

export const replacePages = workerFunction(
  import.meta.url,
  async () => (await load()).replacePages,
);

export const findRemaining = workerFunction(
  import.meta.url,
  async () => (await load()).findRemaining,
  remainingSchema,
);
