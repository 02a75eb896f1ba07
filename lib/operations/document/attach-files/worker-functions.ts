import { workerFunction } from "#lib/engines/worker/worker-function.ts";

export const attachFiles = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./attach-tasks.ts")).attachFiles,
);
