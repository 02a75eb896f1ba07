import { requestSnippets, type Snippets, snippetInputs } from "#components/code/snippets.ts";
import { findSample } from "#components/samples/samples.ts";
import { requestExample } from "#lib/api/job-creation/request-schema.ts";
import { env } from "#lib/env.ts";
import { mediaType } from "#lib/media/types.ts";
import type { Operation } from "#lib/operations/define.ts";
import { parameterSchemas } from "#lib/operations/parameter-schema.ts";

/**
 * The request of an operation's sample, or the operation's example if there is no sample. With `linked`, it has these
 * parameters and of the others only those that are required.
 */
export function exampleSnippets(
  operation: Operation,
  linked: Readonly<Record<string, string>> = {},
): Snippets {
  const sample = findSample(operation.id);
  const { input: _, inputs: __, ...example } = requestExample(operation);
  const names = sample?.inputs.map(({ file }) => file.split("/").pop() ?? file);
  return requestSnippets({
    operation: operation.id,
    params: withLinked(operation, sample?.params ?? example, linked),
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

function withLinked(
  { params }: Operation,
  own: Readonly<Record<string, unknown>>,
  linked: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  if (Object.keys(linked).length === 0) return own;
  const { required } = parameterSchemas(params);
  const kept = Object.entries(own).filter(([name]) => required.includes(name));
  return { ...Object.fromEntries(kept), ...linked };
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
