import { workerFunction } from "#lib/engines/worker/worker-function.ts";

import { reportSchema } from "./report.ts";

export const convertToMarkdown = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./convert.ts")).convertToMarkdown,
  reportSchema,
);
