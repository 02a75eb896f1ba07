import { transaction } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { deleteStagedUpload } from "#lib/db/queries/files/staged-uploads.ts";
import { saveIdempotentResponse } from "#lib/db/queries/jobs/idempotency-keys.ts";
import { insertJob } from "#lib/db/queries/jobs/jobs.ts";
import { reserveBytes } from "#lib/db/queries/usage/usage.ts";
import { countAcceptedJob } from "#lib/db/queries/usage/usage-days.ts";
import type { JobInput, JobRow, JobSource } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { redactUrl } from "#lib/net/redact-url.ts";
import { plans } from "#lib/plans.ts";
import { queue } from "#lib/queue/index.ts";
import { periodOf, secondsUntilPeriodEnds } from "#lib/quotas/period.ts";
import { countAccountRequest, type RateState } from "#lib/quotas/rate-limit.ts";
import { UnavailableError } from "#lib/unavailable.ts";
import { notifyJobChange } from "../follow/changes.ts";
import { jobMessage } from "../queue-message.ts";
import { sourcesOf, storedBytes } from "../sources.ts";
import { serializeJob } from "../view/job.ts";
import { rollBackAcceptance } from "./roll-back-acceptance.ts";

export interface JobRequest {
  readonly id: string;
  readonly account: Account;
  readonly operation: string;
  readonly params: Record<string, unknown>;
  readonly source: JobSource;
  readonly parts: Record<string, JobSource>;
  readonly webhookUrl: string | null;
  readonly metadata: Record<string, string>;
  readonly requestId: string;
  /** The API key of the request; none for a request of the dashboard. */
  readonly apiKeyId?: string | undefined;
  /** The response is saved under the client's key, so that the same request creates no second job. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: string } | null;
}

/** A job that was accepted, and the account's rate after its request. */
export interface AcceptedJob {
  readonly job: JobRow;
  readonly rate: RateState;
}

/** An earlier request with the same `Idempotency-Key` created a job. Its response is saved. */
export class AlreadyCreatedError extends Error {
  override readonly name = "AlreadyCreatedError";
}

/**
 * Accepts a job: reserves its quota, inserts its row and enqueues it, in one transaction. If it has
 * stored files, `stageUpload` must have been called before. Throws `usage_limit_reached` if the plan's
 * bytes of this period do not suffice, `rate_limited`, `AlreadyCreatedError`, and `UnavailableError`
 * if the queue is unavailable.
 */
export async function createJob(request: JobRequest): Promise<AcceptedJob> {
  const { id, account, source, parts, operation, requestId, idempotency } = request;
  const plan = plans[account.plan];
  const period = periodOf(new Date());
  const sources = sourcesOf(request);
  const reservedBytes = storedBytes(sources);
  const opened = await queue();
  const { row, rate, afterCommit } = await transaction(async (tx) => {
    const reservation = {
      accountId: account.id,
      period,
      bytes: reservedBytes,
      limit: plan.monthlyBytes,
      jobs: 1,
    } as const;
    if (!(await reserveBytes(tx, reservation))) throw usageLimitReached();
    const wasStaged = await deleteStagedUpload(tx, id);
    if (!wasStaged && sources.some((one) => one.kind === "stored")) throw stagedFilesDeleted();
    const row = await insertJob(tx, {
      id,
      accountId: account.id,
      operation,
      params: request.params,
      source,
      parts,
      input: toJobInput(source),
      metadata: request.metadata,
      webhookUrl: request.webhookUrl,
      requestId,
      apiKeyId: request.apiKeyId,
      plan: plan.name,
      stage: sources.some((one) => one.kind === "url") ? "fetch" : "run",
      reservedBytes,
      period,
    });
    await countAcceptedJob(tx, row);
    if (idempotency) {
      const response = { status: 202, body: serializeJob(row) };
      const isFirst = await saveIdempotentResponse(tx, {
        accountId: account.id,
        ...idempotency,
        ...response,
      });
      if (!isFirst) throw new AlreadyCreatedError();
    }
    const rate = await countAccountRequest(tx, account);
    await notifyJobChange(tx, row);
    return { row, rate, afterCommit: await opened.enqueueJob(tx, jobMessage(row)) };
  });
  log.info({ job: row.id, request_id: requestId, operation }, "job accepted");
  const accepted = { job: row, rate };
  if (await afterCommit()) return accepted;
  if (!(await rollBackAcceptance(row.id, idempotency?.key))) return accepted;
  log.warn({ job: row.id, request_id: requestId }, "job acceptance rolled back");
  throw new UnavailableError("the queue is unavailable");
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
function toJobInput(source: JobSource): JobInput {
  if (source.kind === "stored") {
    const { filename, contentType, bytes } = source;
    return { filename, contentType, bytes, url: null };
  }
  return { filename: null, contentType: null, bytes: null, url: redactUrl(source.url) };
}
