import { workerFunction } from "#lib/engines/worker/worker-function.ts";

export const removeDeclaration = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./declaration-task.ts")).removeDeclaration,
);
