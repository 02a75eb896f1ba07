import { workerFunction } from "#lib/engines/worker/worker-function.ts";

const load = () => import(/* turbopackIgnore: true */ "./tasks.ts");

export const drawWatermark = workerFunction(
  import.meta.url,
  async () => (await load()).drawWatermark,
);

export const drawStamps = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./draw-stamps.ts")).drawStamps,
);

export const drawPage = workerFunction(import.meta.url, async () => (await load()).drawPage);
