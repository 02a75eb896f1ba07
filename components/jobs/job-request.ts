import type { SnippetFile, SnippetRequest } from "#components/code/snippets.ts";
import type { JobDetails, JobInputFile } from "#lib/jobs/view/details.ts";

/** The request that made a job, as far as it may be shown: of an address the query's values are not. */
export function requestOf(details: JobDetails, baseUrl: string): SnippetRequest {
  const { job, inputs, webhookUrl } = details;
  const files: Record<string, SnippetFile> = {};
  let params: Record<string, unknown> = job.params;
  for (const input of inputs) {
    const inChain = chainPart.exec(input.part);
    if (inChain) params = addToChain(params, Number(inChain[1]), `${inChain[2]}_url`, input);
    else if (input.part !== "file") files[input.part] = sourceOf(input);
  }
  const main = inputs.find(({ part }) => part === "file");
  return {
    operation: job.operation,
    params: {
      ...params,
      ...(Object.keys(job.metadata).length > 0 ? { metadata: job.metadata } : {}),
      ...(webhookUrl === null ? {} : { webhook_url: webhookUrl }),
    },
    input: main ? sourceOf(main) : { file: "input" },
    files,
    baseUrl,
  };
}

/** A file part of a chain's operation: `operations-1-watermark`. */
const chainPart = /^operations-(\d+)-(.+)$/;

function sourceOf({ filename, address }: JobInputFile): SnippetFile {
  return address === null ? { file: filename ?? "input" } : { url: address };
}

/** In a chain the address of a further file stands among its operation's own parameters. */
function addToChain(
  params: Record<string, unknown>,
  index: number,
  field: string,
  { address }: JobInputFile,
): Record<string, unknown> {
  if (!Array.isArray(params.operations) || address === null) return params;
  const operations = params.operations.map((operation, at) =>
    at === index ? { ...operation, params: { ...operation.params, [field]: address } } : operation,
  );
  return { ...params, operations };
}
