import { workerFunction } from "#lib/engines/worker/worker-function.ts";

import { signaturesResult } from "./result.ts";

export const verifySignatures = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./verify-task.ts")).verifySignatures,
  signaturesResult,
);
