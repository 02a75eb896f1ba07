import { z } from "zod";
import { workerFunction } from "#lib/engines/worker/worker-function.ts";

const matterText = z.string().max(2000).optional();

/** What the worker reports of the document. */
const matterSchema = z.object({
  title: z.string().transform((title) => title.slice(0, 2000)),
  author: matterText,
  subject: matterText,
  keywords: matterText,
});

export const renderMarkdownFile = workerFunction(
  import.meta.url,
  async () => (await import(/* turbopackIgnore: true */ "./render-task.ts")).renderMarkdownFile,
  matterSchema,
);
