import { workerFunction } from "../worker/worker-function.ts";

export const decodeBitmap = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./bitmap-task.ts")).decodeBitmap,
);
