import { hideApiKeys } from "#lib/auth/api-keys.ts";
import { db } from "#lib/db/client.ts";
import { isDatabaseUnavailable } from "#lib/db/errors.ts";
import { insertRequests } from "#lib/db/queries/requests/insert.ts";
import { trimRequests } from "#lib/db/queries/requests/retention.ts";
import type { ApiRequest } from "#lib/db/schema/dashboard/api-requests.ts";
import { log } from "#lib/log.ts";
import { addressIn } from "#lib/net/caller-address.ts";
import { beforeExit } from "#lib/stopping.ts";
import type { Method, RequestContext } from "../definition/endpoint.ts";
import { createBatchWriter } from "./batch-writer.ts";
import { cleanText, summarizeParams } from "./request-params.ts";

/** After so many requests of an account, its oldest ones are deleted. */
const requestsPerTrim = 1000;

/** Requests since an account's oldest ones were deleted, by account. */
const untrimmed = new Map<string, number>();
const maxCounters = 10_000;

const writer = createBatchWriter<ApiRequest>({
  batchRows: 100,
  maxRows: 10_000,
  intervalMs: 1000,
  write: async (rows) => {
    await insertRequests(db(), rows);
    for (const accountId of takeUntrimmed(rows)) await trimRequests(db(), accountId);
  },
  isLost: (error) => !isDatabaseUnavailable(error),
  onDropped: (rows, err) => log.warn({ err, rows }, "requests not logged"),
});
beforeExit(() => writer.flush());

/** Writes the requests that wait in memory. Never throws. */
export function flushRequestLog(): Promise<void> {
  return writer.flush();
}

/**
 * Adds a request with a valid key to the account's log of requests. Only memory is written: rows are inserted in
 * batches, at most a second later.
 */
export function recordRequest(
  method: Method,
  { request, requestId, url, record }: RequestContext,
  response: Response,
  {
    startedAt,
    job = null,
  }: { readonly startedAt: number; readonly job?: string | null | undefined },
): void {
  const { caller, error, body } = record;
  if (!caller) return;
  writer.add({
    id: requestId,
    accountId: caller.account.id,
    apiKeyId: caller.apiKeyId,
    method,
    path: hideApiKeys(url.pathname).slice(0, 500),
    status: response.status,
    errorCode: response.headers.get("x-error-code"),
    // Gotenberg's errors repeat what was sent.
    error: error === undefined ? null : cleanText(error),
    address: addressIn(request.headers) ?? null,
    durationMs: Math.max(0, Date.now() - startedAt),
    jobId: job,
    params: summarizeParams(url, body),
    createdAt: new Date(startedAt),
  });
}

/** The accounts of `rows` with enough new requests, and those that are new to this process. */
function takeUntrimmed(rows: readonly ApiRequest[]): string[] {
  if (untrimmed.size > maxCounters) untrimmed.clear();
  const due = new Set<string>();
  for (const { accountId } of rows) {
    const count = (untrimmed.get(accountId) ?? requestsPerTrim) + 1;
    if (count > requestsPerTrim) due.add(accountId);
    untrimmed.set(accountId, count > requestsPerTrim ? 1 : count);
  }
  return [...due];
}
