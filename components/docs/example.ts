import { requestSnippets, type Snippets } from "#components/code/snippets.ts";
import { sampleOf } from "#components/samples/samples.ts";
import { requestExample } from "#lib/api/catalogue.ts";
import { env } from "#lib/env.ts";
import type { Operation } from "#lib/operations/define.ts";

/** The request that made an operation's sample; without one, the catalogue's example. */
export function exampleSnippets(operation: Operation): Snippets {
  const sample = sampleOf(operation.id);
  const { input: _, ...example } = requestExample(operation);
  const name = sample?.input.file.split("/").pop() ?? "file";
  return requestSnippets({
    operation: operation.id,
    params: sample?.params ?? example,
    input: { file: name },
    files: Object.fromEntries(
      Object.entries(sample?.files ?? {}).map(([part, filename]) => [part, { file: filename }]),
    ),
    baseUrl: env.APP_URL,
  });
}
