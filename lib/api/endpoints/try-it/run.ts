import { limitVisitor } from "#lib/auth/limit-attempts.ts";
import { refundAttempts } from "#lib/auth/sign-in-limits.ts";
import { RequestError } from "#lib/errors.ts";
import { jobSchema } from "#lib/jobs/view/job.ts";
import type { VisitorCaller } from "../../definition/access.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import type { RequestContext } from "../../definition/endpoint.ts";
import { noQuery } from "../../definition/parameters.ts";
import type { ParsedJobRequest } from "../../job-creation/job-request.ts";
import { jobErrors, jobResponses } from "../../job-creation/request-body.ts";
import { acceptOperation, type OperationPath, operationParams } from "../operations/run.ts";

export const runAsVisitor = defineEndpoint({
  method: "POST",
  path: "/try/run/{group}/{operation}",
  operationId: "runAsVisitor",
  tag: "Jobs",
  summary: "Run an operation on a file from the home page, without an account.",
  internal: true,
  access: "visitor",
  createsWork: true,
  params: operationParams,
  query: noQuery,
  responses: jobResponses({ body: jobSchema }),
  errors: jobErrors,
  handler: acceptForVisitor,
});

/** A request that is rejected does not count as a run. */
async function acceptForVisitor(
  context: RequestContext & VisitorCaller & { readonly params: OperationPath },
): Promise<Response> {
  const { group, operation } = context.params;
  if (`${group}/${operation}` === paidOperation)
    throw forbidden("This operation needs an account.");
  const attempts = [{ kind: "visitorRuns", subject: context.account.id }] as const;
  await limitVisitor(attempts);
  try {
    return await acceptOperation(context, requireVisitorRequest);
  } catch (error) {
    await refundAttempts(attempts);
    throw error;
  }
}

/** Visitors send files: neither the service's network nor its webhooks are open to everyone. */
function requireVisitorRequest({ source, parts, webhookUrl, target }: ParsedJobRequest): void {
  if (webhookUrl !== null) throw forbidden("A webhook needs an account.");
  if (target !== null) throw forbidden("An output elsewhere needs an account.");
  const hasUrl = [source, ...Object.values(parts)].some(({ kind }) => kind === "url");
  if (hasUrl) throw forbidden("Without an account, send a file. URLs need an account.");
}

/** Each run may cost the operator money. */
const paidOperation = "audio/transcribe";

function forbidden(message: string): RequestError {
  return new RequestError("forbidden", message);
}
