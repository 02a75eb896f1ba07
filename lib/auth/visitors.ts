import { db } from "#lib/db/client.ts";
import { type Account, findVisitorAccount } from "#lib/db/queries/accounts/accounts.ts";
import { hasFailedSandbox } from "#lib/db/queries/jobs/media-reports.ts";
import { env } from "#lib/env.ts";
import { createId } from "#lib/ids.ts";
import { createAccount } from "./accounts.ts";
import { readVisitorToken } from "./cookies/visitor-token.ts";
import { isSignUpOpen } from "./sign-up.ts";

/**
 * Whether people may run operations on the home page without an account: by default if anyone may sign
 * up. Not while engines should have a sandbox but have none.
 */
export async function isTryItOn(): Promise<boolean> {
  if (env.TRY_IT === undefined) return isSignUpOpen();
  return env.TRY_IT === "on" && !(await hasFailedSandbox());
}

/** Creates the account of a new visitor. */
export async function createVisitor(): Promise<Account> {
  // Not an email address, so that no one can sign up or sign in with it.
  const account = await createAccount({ email: `visitor:${createId("vis")}`, plan: "visitor" });
  if (!account) throw new Error("the name of a visitor's account is taken");
  return account;
}

/** The visitor's account. Undefined if the token is missing or invalid, or the account is closed. */
export async function findVisitor(token: string | undefined): Promise<Account | undefined> {
  const id = readVisitorToken(token);
  return id === undefined ? undefined : findVisitorAccount(db(), id);
}
