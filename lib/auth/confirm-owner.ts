import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { currentCaller } from "./caller.ts";
import { checkPassword } from "./check-password.ts";
import type { FormState } from "./credentials.ts";
import { describeSignInError } from "./sign-in-errors.ts";
import { TooManyAttemptsError } from "./sign-in-limits.ts";

/**
 * Asks once more who it is, before something that an unlocked computer must not be enough for: the
 * form's `current` is the account's password, or, for an account without one, its e-mail address.
 * Undefined where it is; else what to show beside the field.
 */
export async function confirmOwner(
  accountId: string,
  form: FormData,
): Promise<FormState | undefined> {
  const account = await findAccount(db(), accountId);
  const current = String(form.get("current") ?? "").slice(0, 254);
  if (!account) return { errors: { current: "There is no such account any more." } };
  if (!account.passwordHash) {
    if (current.trim().toLowerCase() === account.email) return undefined;
    return { errors: { current: "That is not the account's e-mail address." } };
  }
  try {
    if (await checkPassword(account.email, current, await currentCaller())) return undefined;
    return { errors: { current: "That is not the present password." } };
  } catch (error) {
    if (!(error instanceof TooManyAttemptsError)) throw error;
    return { errors: { current: describeSignInError(error.message) ?? "" } };
  }
}
