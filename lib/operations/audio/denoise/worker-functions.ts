import { workerFunction } from "#lib/engines/worker/worker-function.ts";

export const denoise = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./denoise-task.ts")).denoise,
);
