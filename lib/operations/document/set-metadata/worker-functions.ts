import { workerFunction } from "#lib/engines/worker/worker-function.ts";

export const setProperties = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./metadata-tasks.ts")).setProperties,
);
