import { chainName } from "#lib/jobs/steps.ts";
import { jobSchema } from "#lib/jobs/view/job.ts";
import type { AccountCaller } from "../../definition/access.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import type { RequestContext } from "../../definition/endpoint.ts";
import { noQuery } from "../../definition/parameters.ts";
import { inputSchema } from "../../http/schema-messages.ts";
import { acceptJob } from "../../job-creation/accept-job.ts";
import { chainRequest, parseChainRequest } from "../../job-creation/chain-request.ts";
import { jobErrors, jobRequestBody, jobResponses } from "../../job-creation/request-body.ts";
import { fileField } from "../../job-creation/request-schema.ts";

const { properties = {} } = inputSchema(chainRequest);

export const createChain = defineEndpoint({
  method: "POST",
  path: "/v1/jobs",
  operationId: "createChain",
  tag: "Jobs",
  summary: "Run several operations, one after the other, as one job.",
  description:
    "Each operation takes the first output of the one before. The whole chain is checked before the job is accepted.",
  access: "apiKey",
  scope: "jobs:write",
  forTokens: true,
  createsWork: true,
  query: noQuery,
  headers: ["IdempotencyKey", "Prefer"],
  body: jobRequestBody({
    properties,
    required: ["operations"],
    jsonTexts: ["operations"],
    input: { name: "input", schema: fileField("The file that the first operation takes.") },
    example: {
      input: "https://example.com/photo.jpg",
      operations: [
        { type: "pipeline/strip-metadata" },
        { type: "image/sharpen", params: { sigma: 1.5 } },
        { type: "image/watermark-text", params: { text: "© Example" } },
      ],
    },
  }),
  responses: jobResponses({ body: jobSchema }),
  errors: jobErrors,
  handler: acceptChain,
});

/** Accepts a job of several operations. */
export function acceptChain(context: RequestContext & AccountCaller): Promise<Response> {
  return acceptJob(context, {
    operation: chainName,
    fileParts: ["file"],
    maxInputs: 1,
    repeatable: [],
    schema: inputSchema(chainRequest),
    parse: (body) => parseChainRequest(body, context.account.id),
  });
}
