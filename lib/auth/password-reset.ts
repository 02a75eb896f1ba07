import { createHash, randomBytes } from "node:crypto";
import { db, transaction } from "#lib/db/client.ts";
import { findAccountByEmail, setEmailConfirmed } from "#lib/db/queries/accounts/accounts.ts";
import {
  consumePasswordReset,
  findPasswordReset,
  insertPasswordReset,
  resetMinutes,
} from "#lib/db/queries/accounts/password-resets.ts";
import { env } from "#lib/env.ts";
import { sendMail } from "#lib/mail/send.ts";
import { type PasswordChange, replacePassword } from "./replace-password.ts";

export { canSendMail } from "#lib/mail/send.ts";

/** Sends a password reset link if there is an account with this address; else does nothing. */
export async function sendPasswordReset(email: string): Promise<void> {
  const account = await findAccountByEmail(db(), email);
  if (!account) return;
  const token = randomBytes(32).toString("base64url");
  await insertPasswordReset(db(), { hash: hashToken(token), accountId: account.id });
  await sendMail({
    to: account.email,
    subject: "Choose a new password for Mediamill",
    text: [
      "Someone, probably you, requested a new password for your account at",
      `${env.APP_URL}`,
      "",
      `Choose one here within ${resetMinutes} minutes:`,
      `${env.APP_URL}/reset-password?token=${token}`,
      "",
      "The new password signs out all browsers and revokes all API keys of the account.",
      "",
      "If it was not you, ignore this email: your password stays the same.",
      "",
    ].join("\n"),
  });
}

/** The account whose password a link may replace. Undefined if the link is invalid or expired. */
export async function readResetToken(token: string): Promise<{ email: string } | undefined> {
  return findPasswordReset(db(), hashToken(token));
}

/**
 * Replaces the password of the link's account, revokes its API keys and confirms its email address, which the link
 * was sent to. A link works once. Undefined if it is invalid or expired.
 */
export async function resetPassword(
  token: string,
  password: string,
): Promise<{ readonly accountId: string; readonly change: PasswordChange } | undefined> {
  const accountId = await consumePasswordReset(db(), hashToken(token));
  if (!accountId) return undefined;
  const change = await transaction(async (tx) => {
    await setEmailConfirmed(tx, accountId);
    return replacePassword(accountId, password, { revokeKeys: true }, tx);
  });
  return { accountId, change };
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
