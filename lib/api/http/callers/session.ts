import { classifyOrigin } from "#lib/auth/origin.ts";
import { currentAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { RequestError } from "#lib/errors.ts";
import type { SessionCaller } from "../../definition/access.ts";

/** Throws `forbidden` for a write that did not come from a page of this service. */
export function requireOwnPage(request: Request): void {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (isRead || classifyOrigin(request.headers) === "same-origin") return;
  throw new RequestError("forbidden", "This request did not come from a page of this service.");
}

/**
 * The account that is signed in. Throws `forbidden` for a write that did not come from a page of this
 * service, and `unauthorized` without a session.
 */
export async function requireSession(request: Request): Promise<SessionCaller> {
  requireOwnPage(request);
  const session = await currentAccount();
  const account = session && (await findAccount(db(), session.id));
  if (!account) throw new RequestError("unauthorized", "Sign in again to continue.");
  if (session.mustSetPassword) throw new RequestError("forbidden", "Set your password first.");
  return { account, sessionId: session.sessionId };
}
