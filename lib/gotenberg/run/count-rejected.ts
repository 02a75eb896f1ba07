import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { log } from "#lib/log.ts";
import { countRejectedRequest } from "#lib/quotas/rate-limit.ts";
import { timeLimitReached } from "../base/errors.ts";
import { toGotenbergError } from "./explain-failure.ts";

/**
 * Counts a request that failed before it had a job against the account's rate, unless the service is at fault: its
 * body and its downloads cost as much as those of one that is accepted, which counts with its jobs.
 * Never throws, because the caller responds with `error`.
 */
export async function countRejected(account: Account, error: unknown): Promise<void> {
  const isRejected = error === timeLimitReached || toGotenbergError(error).status < 500;
  if (!isRejected) return;
  await countRejectedRequest(account).catch((err) =>
    log.warn({ err, account: account.id }, "rejected request not counted"),
  );
}
