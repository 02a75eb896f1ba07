import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { currentCaller } from "./caller.ts";
import { checkPassword } from "./check-password.ts";
import type { FormState } from "./credentials.ts";
import { signInErrorMessage } from "./sign-in-errors.ts";
import { TooManyAttemptsError } from "./sign-in-limits.ts";

/**
 * Verifies the account's owner again before a sensitive action, so that an unattended browser is not
 * enough for it. The form's field `current` must hold the account's password or, for an account without
 * a password, its email address. Returns undefined on success, else the errors to show in the form.
 */
export async function reauthenticate(
  accountId: string,
  form: FormData,
): Promise<FormState | undefined> {
  const account = await findAccount(db(), accountId);
  const current = String(form.get("current") ?? "").slice(0, 254);
  if (!account) return { errors: { current: "This account no longer exists." } };
  if (!account.passwordHash) {
    if (current.trim().toLowerCase() === account.email) return undefined;
    return { errors: { current: "That is not the account's email address." } };
  }
  try {
    if (await checkPassword(account.email, current, await currentCaller())) return undefined;
    return { errors: { current: "That is not your current password." } };
  } catch (error) {
    if (!(error instanceof TooManyAttemptsError)) throw error;
    return { errors: { current: signInErrorMessage(error.message) ?? "" } };
  }
}
