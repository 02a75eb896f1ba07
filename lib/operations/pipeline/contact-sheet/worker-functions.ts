import { workerFunction } from "#lib/engines/worker/worker-function.ts";

export const drawContactSheet = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./draw-sheet.ts")).drawContactSheet,
);
