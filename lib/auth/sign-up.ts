import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { env } from "#lib/env.ts";
import { createAccount } from "./accounts.ts";
import type { Caller } from "./caller.ts";
import { fromAddress, takeAttempts } from "./sign-in-limits.ts";

/** Whether people may make accounts themselves. */
export const isSignUpOpen = env.SIGN_UP === "open";

/**
 * Makes an account on the Free plan. Undefined where sign-up is closed, or the address has an
 * account already. Throws `TooManyAttemptsError`.
 */
export async function signUp(
  fields: { email: string; password: string },
  caller: Pick<Caller, "address">,
): Promise<Account | undefined> {
  if (!isSignUpOpen) return undefined;
  await takeAttempts(fromAddress("signUp", caller.address));
  return createAccount(fields);
}
