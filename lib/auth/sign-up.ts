import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { hasFailedSandbox } from "#lib/db/queries/jobs/media-reports.ts";
import { env } from "#lib/env.ts";
import { canSendMail } from "#lib/mail/send.ts";
import { createAccount } from "./accounts.ts";
import type { Caller } from "./caller.ts";
import { attemptsFromAddress, consumeAttempts } from "./sign-in-limits.ts";

/**
 * Whether anyone may create an account. Not while engines should have a sandbox but have none: then the
 * operator chooses whose files they read.
 */
export async function isSignUpOpen(): Promise<boolean> {
  return env.SIGN_UP === "open" && !(await hasFailedSandbox());
}

/**
 * Creates an account on the plan of new accounts. Its email address must be confirmed if this installation sends email.
 * Undefined if sign-up is closed or the email address has an account. Throws `TooManyAttemptsError`.
 */
export async function signUp(
  fields: { email: string; password: string },
  caller: Pick<Caller, "address">,
): Promise<Account | undefined> {
  if (!(await isSignUpOpen())) return undefined;
  await consumeAttempts(attemptsFromAddress("signUp", caller.address));
  return createAccount({ ...fields, mustConfirmEmail: canSendMail });
}
