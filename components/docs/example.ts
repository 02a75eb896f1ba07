import { requestSnippets, type Snippets } from "#components/code/snippets.ts";
import { findSample } from "#components/samples/samples.ts";
import { requestExample } from "#lib/api/job-creation/request-schema.ts";
import { env } from "#lib/env.ts";
import type { Operation } from "#lib/operations/define.ts";

/** The request of an operation's sample, or the operation's example if there is no sample. */
export function exampleSnippets(operation: Operation): Snippets {
  const sample = findSample(operation.id);
  const { input: _, inputs: __, ...example } = requestExample(operation);
  const name = sample?.inputs[0]?.file.split("/").pop() ?? "file";
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
