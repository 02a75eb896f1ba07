import { classifyOrigin } from "#lib/auth/origin.ts";
import { currentAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { RequestError } from "#lib/errors.ts";
import type { SessionCaller } from "../definition/access.ts";

/**
 * The account that is signed in. Throws `forbidden` for a write that did not come from a page of this
 * service, and `unauthorized` without a session.
 */
export async function requireSession(request: Request): Promise<SessionCaller> {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead && classifyOrigin(request.headers) !== "same-origin") {
    const message = "This request did not come from a page of this service.";
    throw new RequestError("forbidden", message);
  }
  const session = await currentAccount();
  const account = session && (await findAccount(db(), session.id));
  if (!account) throw new RequestError("unauthorized", "Sign in again to continue.");
  if (session.mustSetPassword) throw new RequestError("forbidden", "Set your password first.");
  return { account, sessionId: session.sessionId };
}
