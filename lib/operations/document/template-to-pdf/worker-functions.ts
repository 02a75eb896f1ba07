import { workerFunction } from "#lib/engines/worker/worker-function.ts";

export const renderTemplate = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./render-task.ts")).renderTemplate,
);
