import { limitAttempts } from "#lib/auth/limit-attempts.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { RequestError } from "#lib/errors.ts";
import { requireConfirmedEmail } from "../../http/callers/authorize.ts";

export const liveErrors = ["forbidden", "rate_limited", "unavailable"] as const;

/** Live previews are counted by a limit of their own, and need what jobs need. */
export async function authorizeLive(account: Account): Promise<void> {
  requireConfirmedEmail(account);
  await limitAttempts(
    [{ kind: "livePreview", subject: account.id }],
    (seconds) => `There were too many live previews. They go on in ${seconds} s.`,
  );
}

/**
 * The answer if no runner had time: throws `rate_limited`. After the page has cancelled the request, no one reads the
 * answer.
 */
export function enginesBusy(signal: AbortSignal): Response {
  if (signal.aborted) return new Response(null, { status: 204 });
  const message = "All engines are busy with jobs, which come first. Try again.";
  throw new RequestError("rate_limited", message, { headers: { "Retry-After": "2" } });
}
