import { workerFunction } from "#lib/engines/worker/worker-function.ts";

export const writeThumbnail = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./write-thumbnail.ts")).writeThumbnail,
);
