import { requestSnippets, type Snippets, snippetInputs } from "#components/code/snippets.ts";
import { findSample } from "#components/samples/samples.ts";
import { requestExample } from "#lib/api/job-creation/request-schema.ts";
import { env } from "#lib/env.ts";
import { mediaType } from "#lib/media/types.ts";
import type { Operation } from "#lib/operations/define.ts";

/** The request of an operation's sample, or the operation's example if there is no sample. */
export function exampleSnippets(operation: Operation): Snippets {
  const sample = findSample(operation.id);
  const { input: _, inputs: __, ...example } = requestExample(operation);
  const names = sample?.inputs.map(({ file }) => file.split("/").pop() ?? file);
  return requestSnippets({
    operation: operation.id,
    params: sample?.params ?? example,
    ...snippetInputs(
      operation,
      (names ?? exampleNames(operation)).map((file) => ({ file })),
    ),
    files: Object.fromEntries(
      Object.entries(sample?.files ?? {}).map(([part, filename]) => [part, { file: filename }]),
    ),
    baseUrl: env.APP_URL,
  });
}

/**
 * The names of the example's files, such as `image-1.jpg`: as many as the operation needs, at least
 * two if it takes several.
 */
function exampleNames({ inputs: { min, max }, group, accepts }: Operation): string[] {
  const count = max > 1 ? Math.max(min, 2) : max;
  const extension = mediaType(accepts[0] ?? "unknown").extension;
  return Array.from({ length: count }, (_, index) =>
    count === 1 ? `${group}.${extension}` : `${group}-${index + 1}.${extension}`,
  );
}
