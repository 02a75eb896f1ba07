import { type SnippetFile, type SnippetRequest, snippetInputs } from "#components/code/snippets.ts";
import { inputIndexOf } from "#lib/jobs/sources.ts";
import { chainName } from "#lib/jobs/steps.ts";
import type { JobDetails, JobInputFile } from "#lib/jobs/view/details.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";

/** The request that created a job. URLs in it have no query values, because those may be secrets. */
export function toSnippetRequest(details: JobDetails, baseUrl: string): SnippetRequest {
  const { job, inputs, webhookUrl } = details;
  const files: Record<string, SnippetFile> = {};
  const params = { ...job.params };
  for (const input of inputs) {
    // In a chain, the URL of a further file is a parameter of its operation.
    if (job.operation === chainName || inputIndexOf(input.part) !== undefined) continue;
    files[input.part] = sourceOf(input);
    delete params[`${input.part}_url`];
  }
  return {
    operation: job.operation,
    params: {
      ...params,
      ...details.target,
      ...(Object.keys(job.metadata).length > 0 ? { metadata: job.metadata } : {}),
      ...(webhookUrl === null ? {} : { webhook_url: webhookUrl }),
    },
    ...toInputs(job.operation, inputs),
    files,
    baseUrl,
  };
}

/** The files of `input` or `inputs`, in order; nothing for an operation that takes no file. */
function toInputs(
  operation: string,
  inputs: readonly JobInputFile[],
): Pick<SnippetRequest, "input" | "inputs"> {
  const main = inputs
    .flatMap((input) => ({ input, index: inputIndexOf(input.part) ?? -1 }))
    .filter(({ index }) => index >= 0)
    .sort((one, other) => one.index - other.index)
    .map(({ input }) => sourceOf(input));
  const max = Math.max(1, main.length);
  return snippetInputs(findOperation(operation) ?? { inputs: { max } }, main);
}

function sourceOf({ filename, sourceUrl }: JobInputFile): SnippetFile {
  return sourceUrl === null ? { file: filename ?? "input" } : { url: sourceUrl };
}
