import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { db } from "#lib/db/client.ts";
import { findSession, touchSession } from "#lib/db/queries/accounts/sessions.ts";
import type { PlanName } from "#lib/plans.ts";
import { looksLikeWrite, ownPath, provenanceOf, requestPathHeader } from "./origin.ts";
import { readSessionId, sessionCookie } from "./session-token.ts";

/** Whose request it is, for Server Components and server actions. */
export interface SignedInAccount {
  readonly id: string;
  readonly email: string;
  readonly plan: PlanName;
  readonly createdAt: Date;
  readonly sessionId: string;
  /** Nothing is theirs to do until they have replaced the password that was made for them. */
  readonly mustSetPassword: boolean;
}

/**
 * The account of the request's session, looked up in the database once a request; undefined where
 * nobody is signed in. A write that was not sent by our own pages is nobody's.
 */
export const currentAccount = cache(async (): Promise<SignedInAccount | undefined> => {
  const sent = await headers();
  if (looksLikeWrite(sent) && provenanceOf(sent) !== "own") return undefined;
  const id = await readSessionId((await cookies()).get(sessionCookie.name)?.value);
  const found = id === undefined ? undefined : await findSession(db(), id);
  if (!found) return undefined;
  await touchSession(db(), found.session.id);
  const { id: accountId, email, plan, createdAt, mustSetPassword } = found.account;
  return {
    id: accountId,
    email,
    plan,
    createdAt,
    sessionId: found.session.id,
    mustSetPassword,
  };
});

/**
 * The account of the request's session. Whoever is not signed in is sent to do so, and back here
 * afterwards; whoever has to choose a password, to that.
 */
export async function requireAccount(): Promise<SignedInAccount> {
  const account = await currentAccount();
  if (account && !account.mustSetPassword) return account;
  const next = encodeURIComponent(ownPath((await headers()).get(requestPathHeader)));
  redirect(`${account ? "/set-password" : "/sign-in"}?next=${next}`);
}
