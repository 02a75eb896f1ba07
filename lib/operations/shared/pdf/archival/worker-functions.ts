import { workerFunction } from "#lib/engines/worker/worker-function.ts";

import { factsSchema } from "./facts.ts";

export const inspectDocument = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./inspect-task.ts")).inspectDocument,
  factsSchema,
);

export const conformDocument = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./conform-task.ts")).conformDocument,
);
