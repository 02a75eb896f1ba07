import { type SnippetFile, type SnippetRequest, snippetInputs } from "#components/code/snippets.ts";
import { inputIndexOf } from "#lib/jobs/sources.ts";
import type { JobDetails, JobInputFile } from "#lib/jobs/view/details.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";

/** The request that created a job. URLs in it have no query values, because those may be secrets. */
export function toSnippetRequest(details: JobDetails, baseUrl: string): SnippetRequest {
  const { job, inputs, webhookUrl } = details;
  const files: Record<string, SnippetFile> = {};
  let params: Record<string, unknown> = job.params;
  for (const input of inputs) {
    const chained = chainedPart.exec(input.part);
    if (chained) params = addToChain(params, Number(chained[1]), `${chained[2]}_url`, input);
    else if (inputIndexOf(input.part) === undefined) files[input.part] = sourceOf(input);
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

/** The name of an additional file of an operation in a chain: `operations-1-watermark`. */
const chainedPart = /^operations-(\d+)-(.+)$/;

function sourceOf({ filename, sourceUrl }: JobInputFile): SnippetFile {
  return sourceUrl === null ? { file: filename ?? "input" } : { url: sourceUrl };
}

/** In a chain, the URL of an additional file is a parameter of its operation. */
function addToChain(
  params: Record<string, unknown>,
  index: number,
  field: string,
  { sourceUrl }: JobInputFile,
): Record<string, unknown> {
  if (!Array.isArray(params.operations) || sourceUrl === null) return params;
  const operations = params.operations.map((operation, at) =>
    at === index
      ? { ...operation, params: { ...operation.params, [field]: sourceUrl } }
      : operation,
  );
  return { ...params, operations };
}
