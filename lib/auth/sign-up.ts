import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { env } from "#lib/env.ts";
import { createAccount } from "./accounts.ts";
import type { Caller } from "./caller.ts";
import { attemptsFromAddress, consumeAttempts } from "./sign-in-limits.ts";

/** Whether anyone may create an account. */
export const isSignUpOpen = env.SIGN_UP === "open";

/**
 * Creates an account on the Free plan. Undefined if sign-up is closed or the email address has an
 * account. Throws `TooManyAttemptsError`.
 */
export async function signUp(
  fields: { email: string; password: string },
  caller: Pick<Caller, "address">,
): Promise<Account | undefined> {
  if (!isSignUpOpen) return undefined;
  await consumeAttempts(attemptsFromAddress("signUp", caller.address));
  return createAccount(fields);
}
