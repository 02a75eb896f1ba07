import { transaction } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { deleteArrival } from "#lib/db/queries/files/staged-uploads.ts";
import { keepAnswer } from "#lib/db/queries/jobs/idempotency-keys.ts";
import { insertJob } from "#lib/db/queries/jobs/jobs.ts";
import { countJob, reserveBytes } from "#lib/db/queries/usage/usage.ts";
import { countAcceptedJob } from "#lib/db/queries/usage/usage-days.ts";
import type { JobInput, JobRow, JobSource } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { redactUrl } from "#lib/net/redact-url.ts";
import { plans } from "#lib/plans.ts";
import { queue } from "#lib/queue/index.ts";
import { periodOf, secondsUntilPeriodEnds } from "#lib/quotas/period.ts";
import { countRequestOf } from "#lib/quotas/rate-limit.ts";
import { UnavailableError } from "#lib/unavailable.ts";
import { notifyJobChange } from "../follow/changes.ts";
import { jobMessage } from "../queue-message.ts";
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
  /** Kept under the client's key, so that the same request again makes no second job. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: string } | null;
}

/** Another request with the same `Idempotency-Key` was first; what it was answered is kept. */
export class AlreadyCreatedError extends Error {
  override readonly name = "AlreadyCreatedError";
}

/**
 * Accepts a job: its reservation, its row and its announcement in one transaction. Throws
 * `usage_limit_reached` where the plan's bytes of this period would not suffice, `rate_limited`,
 * `AlreadyCreatedError`, and `OutageError` where the queue does not answer. Of stored files, `announceArrival` was called before.
 */
export async function createJob(request: JobRequest): Promise<JobRow> {
  const { account, source, parts, idempotency } = request;
  const plan = plans[account.plan];
  const period = periodOf(new Date());
  const sources = [source, ...Object.values(parts)];
  const reservedBytes = sources.reduce(
    (sum, one) => sum + (one.kind === "upload" ? one.bytes : 0),
    0,
  );
  const opened = await queue();
  const { row, afterCommit } = await transaction(async (tx) => {
    const reservation = {
      accountId: account.id,
      period,
      bytes: reservedBytes,
      limit: plan.monthlyBytes,
    };
    if (!(await reserveBytes(tx, reservation))) throw usageLimitReached();
    const isArrival = await deleteArrival(tx, request.id);
    if (!isArrival && sources.some((one) => one.kind === "upload")) throw arrivedTooLate();
    await countJob(tx, account.id, period);
    const row = await insertJob(tx, {
      id: request.id,
      accountId: account.id,
      operation: request.operation,
      params: request.params,
      source,
      parts,
      input: describeSource(source),
      metadata: request.metadata,
      webhookUrl: request.webhookUrl,
      requestId: request.requestId,
      priority: plan.priority,
      needsFetch: sources.some((one) => one.kind === "url"),
      reservedBytes,
      period,
    });
    await countAcceptedJob(tx, row);
    if (idempotency) {
      const kept = { accountId: account.id, ...idempotency, status: 202, body: serializeJob(row) };
      if (!(await keepAnswer(tx, kept))) throw new AlreadyCreatedError();
    }
    await countRequestOf(tx, account);
    await notifyJobChange(tx, row.id);
    return { row, afterCommit: await opened.announceJob(tx, jobMessage(row)) };
  });
  const { operation, requestId } = request;
  log.info({ job: row.id, request_id: requestId, operation }, "job accepted");
  if (await afterCommit()) return row;
  if (!(await rollBackAcceptance(row.id, idempotency?.key))) return row;
  log.warn({ job: row.id, request_id: requestId }, "job taken back");
  throw new UnavailableError("the queue does not answer");
}

/** Its files have been given up, and may be gone. */
function arrivedTooLate(): RequestError {
  const sentence = "The request took too long, and its files were removed; please send it again.";
  return new RequestError("unavailable", sentence, { headers: { "Retry-After": "1" } });
}

function usageLimitReached(): RequestError {
  return new RequestError(
    "usage_limit_reached",
    "Your plan's monthly usage limit is reached; wait for the next month or ask for a larger plan.",
    { headers: { "Retry-After": String(secondsUntilPeriodEnds(new Date())) } },
  );
}

/** What is known of an input before it is read. Its address is shown without user info and query values. */
function describeSource(source: JobSource): JobInput {
  if (source.kind === "upload") {
    const { filename, contentType, bytes } = source;
    return { filename, contentType, bytes, url: null };
  }
  return { filename: null, contentType: null, bytes: null, url: redactUrl(source.url) };
}
