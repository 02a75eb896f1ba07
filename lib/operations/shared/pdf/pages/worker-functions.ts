import { workerFunction } from "#lib/engines/worker/worker-function.ts";

const load = () => import(/* turbopackIgnore: true */ "./tasks.ts");

export const mergeFiles = workerFunction(import.meta.url, async () => (await load()).mergeFiles);

export const splitFile = workerFunction(import.meta.url, async () => (await load()).splitFile);

export const extractPages = workerFunction(
  import.meta.url,
  async () => (await load()).extractPages,
);

export const reorderPages = workerFunction(
  import.meta.url,
  async () => (await load()).reorderPages,
);

export const rotatePages = workerFunction(import.meta.url, async () => (await load()).rotatePages);
