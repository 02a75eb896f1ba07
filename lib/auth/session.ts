import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { db } from "#lib/db/client.ts";
import { findSession, touchSession } from "#lib/db/queries/accounts/sessions.ts";
import type { AccountRole } from "#lib/db/schema/accounts.ts";
import type { PlanName } from "#lib/plans.ts";
import { readSessionId, sessionCookie } from "./cookies/session-token.ts";
import { classifyOrigin, mayBeWrite, requestPathHeader, safeRedirectPath } from "./origin.ts";

/** The account of the current session, for Server Components and server actions. */
export interface SessionAccount {
  readonly id: string;
  readonly email: string;
  readonly plan: PlanName;
  readonly role: AccountRole;
  readonly createdAt: Date;
  readonly sessionId: string;
  /** The generated password must be replaced before anything else is allowed. */
  readonly mustSetPassword: boolean;
  /** See `isEmailUnconfirmed`. */
  readonly mustConfirmEmail: boolean;
}

/**
 * The account of the request's session; undefined without a valid session. Queries the database once
 * per request. A write from another site counts as a request without a session.
 */
export const currentAccount = cache(async (): Promise<SessionAccount | undefined> => {
  const sent = await headers();
  if (mayBeWrite(sent) && classifyOrigin(sent) !== "same-origin") return undefined;
  const id = await readSessionId((await cookies()).get(sessionCookie.name)?.value);
  const found = id === undefined ? undefined : await findSession(db(), id);
  if (!found) return undefined;
  await touchSession(db(), found.session.id);
  const { id: accountId, email, plan, role, createdAt } = found.account;
  const { mustSetPassword, mustConfirmEmail } = found.account;
  return {
    id: accountId,
    email,
    plan,
    role,
    createdAt,
    sessionId: found.session.id,
    mustSetPassword,
    mustConfirmEmail,
  };
});

/**
 * Whether the request has a session cookie of this service. Does not query the database, so the session may
 * have ended: only for links, never for access.
 */
export const hasSessionCookie = cache(async (): Promise<boolean> => {
  const token = (await cookies()).get(sessionCookie.name)?.value;
  return (await readSessionId(token)) !== undefined;
});

/**
 * The account of the request's session. Redirects to sign-in without a session, or to the page for
 * a new password if one must be set. Both pages lead back here.
 */
export async function requireAccount(): Promise<SessionAccount> {
  const account = await currentAccount();
  if (account && !account.mustSetPassword) return account;
  const next = encodeURIComponent(safeRedirectPath((await headers()).get(requestPathHeader)));
  redirect(`${account ? "/set-password" : "/sign-in"}?next=${next}`);
}

/** The signed-in operator. For everyone else who is signed in, the page or action does not exist. */
export async function requireOperator(): Promise<SessionAccount> {
  const account = await requireAccount();
  if (account.role !== "operator") notFound();
  return account;
}
