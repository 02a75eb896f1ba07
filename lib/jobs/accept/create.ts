import { db, transaction } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import {
  type Acceptance,
  acceptJobRow,
  RejectedError,
  type Rejection,
} from "#lib/db/queries/jobs/acceptance.ts";
import {
  findIdempotentResponse,
  saveIdempotentResponse,
} from "#lib/db/queries/jobs/idempotency-keys.ts";
import type { JobStage } from "#lib/db/schema/job-states.ts";
import type { JobInput, JobRow, JobSource, NoSource } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { redactUrl } from "#lib/net/redact-url.ts";
import { plans } from "#lib/plans.ts";
import { queue } from "#lib/queue/index.ts";
import { periodOf, secondsUntilPeriodEnds } from "#lib/quotas/period.ts";
import { type RateState, rateAfter, rateLimited, readRateState } from "#lib/quotas/rate-limit.ts";
import { currentTrace, type Span, withSpan } from "#lib/tracing/spans.ts";
import { UnavailableError } from "#lib/unavailable.ts";
import { firstMessage } from "../queue-message.ts";
import { hideSecrets } from "../secret-parameters.ts";
import type { ExportTarget } from "../secrets.ts";
import { sourcesOf, storedBytes } from "../sources.ts";
import { paramsOf, requestedSteps } from "../steps.ts";
import { serializeJob } from "../view/job.ts";
import { AlreadyCreatedError } from "./already-created-error.ts";
import { rollBackAcceptance } from "./roll-back-acceptance.ts";

export interface JobRequest {
  readonly id: string;
  readonly account: Account;
  readonly operation: string;
  readonly params: Record<string, unknown>;
  readonly source: JobSource | NoSource;
  /** The URL that a stored source is shown with, without secrets: that of the job of which this one is a retry. */
  readonly shownUrl?: string | null;
  readonly parts: Record<string, JobSource>;
  readonly webhookUrl: string | null;
  /** Where the outputs are sent; absent or null if they stay here. */
  readonly target?: ExportTarget | null;
  readonly metadata: Record<string, string>;
  readonly requestId: string;
  /** The API key of the request; none for a request of the dashboard. */
  readonly apiKeyId?: string | undefined;
  /** The browser token of the request. */
  readonly token?: { readonly id: string; readonly maxBytes: number | null } | undefined;
  /** The response is saved under the client's key, so that the same request creates no second job. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: string } | null;
}

/** A job that was accepted, and the account's rate after its request. */
export interface AcceptedJob {
  readonly job: JobRow;
  readonly rate: RateState;
}

/**
 * Accepts a job: reserves its quota, inserts its row and enqueues it, all or nothing. If it has
 * stored files, `stageUpload` must have been called before. Throws `usage_limit_reached` if the plan's
 * bytes of this period do not suffice, `rate_limited`, `AlreadyCreatedError`, and `UnavailableError`
 * if the queue is unavailable.
 */
export function createJob(request: JobRequest): Promise<AcceptedJob> {
  const { id, account, operation, requestId } = request;
  const attributes = {
    "mediamill.job_id": id,
    "mediamill.account_id": account.id,
    "mediamill.request_id": requestId,
    "mediamill.operation": operation,
    "mediamill.plan": account.plan,
  };
  const options = { kind: "producer", parent: currentTrace() ?? null, attributes } as const;
  return withSpan("enqueue job", options, (span) => acceptJob(request, span));
}

async function acceptJob(request: JobRequest, span: Span): Promise<AcceptedJob> {
  const { id, account, source, parts, operation, requestId, idempotency } = request;
  const { steps, target, secrets } = hideSecrets(
    id,
    requestedSteps(request),
    request.target ?? null,
  );
  const plan = plans[account.plan];
  const sources = sourcesOf(request);
  const stage: JobStage = sources.some((one) => one.kind === "url") ? "fetch" : "run";
  const message = firstMessage({ id, accountId: account.id, plan: plan.name, stage });
  const { wakes, afterCommit } = (await queue()).announceJob(message);
  const acceptance: Acceptance = {
    job: {
      id,
      accountId: account.id,
      operation,
      params: paramsOf(request, steps),
      secrets,
      target,
      source,
      parts,
      input: toJobInput(source, request.shownUrl ?? null),
      metadata: request.metadata,
      webhookUrl: request.webhookUrl,
      requestId,
      traceContext: span.context ?? null,
      apiKeyId: request.apiKeyId ?? null,
      tokenId: request.token?.id ?? null,
      maxFileBytes: request.token?.maxBytes ?? null,
      plan: plan.name,
      stage,
      reservedBytes: storedBytes(sources),
      period: periodOf(new Date()),
    },
    monthlyBytes: plan.monthlyBytes,
    requestsPerMinute: plan.requestsPerMinute,
    hasStagedFiles: sources.some((one) => one.kind === "stored"),
    wakes,
  };
  const { job, window } = await accept(acceptance, account.id, idempotency).catch(
    async (error: unknown) => {
      if (!(error instanceof RejectedError)) throw error;
      // The job that reached the limit may be that of the same request.
      if (await isSaved(account.id, idempotency)) throw new AlreadyCreatedError();
      throw await explain(error.rejection, account);
    },
  );
  log.info({ job: job.id, request_id: requestId, operation }, "job accepted");
  const accepted = { job, rate: rateAfter(account, window) };
  if (await afterCommit()) return accepted;
  if (!(await rollBackAcceptance(job.id, idempotency?.key))) return accepted;
  log.warn({ job: job.id, request_id: requestId }, "job acceptance rolled back");
  throw new UnavailableError("the queue is unavailable");
}

/** Accepts the job. With an `Idempotency-Key`, the response is saved in the same transaction. */
function accept(
  acceptance: Acceptance,
  accountId: string,
  idempotency: JobRequest["idempotency"],
): ReturnType<typeof acceptJobRow> {
  if (!idempotency) return acceptJobRow(db(), acceptance);
  return transaction(async (tx) => {
    const accepted = await acceptJobRow(tx, acceptance);
    const response = { status: 202, body: serializeJob(accepted.job) };
    const values = { accountId, ...idempotency, ...response };
    if (!(await saveIdempotentResponse(tx, values))) throw new AlreadyCreatedError();
    return accepted;
  });
}

/** Whether an earlier request with this `Idempotency-Key` has a saved response. */
async function isSaved(
  accountId: string,
  idempotency: JobRequest["idempotency"],
): Promise<boolean> {
  if (!idempotency) return false;
  return (await findIdempotentResponse(db(), accountId, idempotency.key)) !== undefined;
}

async function explain(rejection: Rejection, account: Account): Promise<RequestError> {
  if (rejection === "usage_limit_reached") return usageLimitReached();
  if (rejection === "staged_files_deleted") return stagedFilesDeleted();
  return rateLimited(await readRateState(account));
}

/** The sweep has discarded the request's files. */
function stagedFilesDeleted(): RequestError {
  const message = "The request took too long and its files were deleted. Send it again.";
  return new RequestError("unavailable", message, { headers: { "Retry-After": "1" } });
}

function usageLimitReached(): RequestError {
  return new RequestError(
    "usage_limit_reached",
    "Your plan's monthly usage limit is reached. Wait until next month or change to a larger plan.",
    { headers: { "Retry-After": String(secondsUntilPeriodEnds(new Date())) } },
  );
}

/** What is known of an input before it is read. Its URL is shown without user info and query values. */
function toJobInput(source: JobSource | NoSource, shownUrl: string | null): JobInput {
  if (source.kind === "none") return { filename: null, contentType: null, bytes: null, url: null };
  if (source.kind === "stored") {
    const { filename, contentType, bytes } = source;
    return { filename, contentType, bytes, url: shownUrl };
  }
  return { filename: null, contentType: null, bytes: null, url: redactUrl(source.url) };
}
