import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { canSendMail, sendMail } from "#lib/mail/send.ts";
import type { PasswordChange } from "../replace-password.ts";

/**
 * Reports a new password to the account's email address, with the API keys and whether they still work. Never
 * throws: the password is set, with or without the email.
 */
export async function sendPasswordChanged(
  accountId: string,
  change: PasswordChange,
): Promise<void> {
  if (!canSendMail) return;
  try {
    const account = await findAccount(db(), accountId);
    if (!account || account.deletedAt) return;
    await sendMail({
      to: account.email,
      subject: "Your Mediamill password was changed",
      text: [
        "The password of your account was changed at",
        env.APP_URL,
        "",
        "All browsers were signed out.",
        ...describeKeys(change),
        "",
        "If it was not you, choose another password now. That also revokes every API key:",
        `${env.APP_URL}/forgot-password`,
        "",
      ].join("\n"),
    });
  } catch (err) {
    log.warn({ err }, "email of a changed password was not sent");
  }
}

function describeKeys({ keys, areRevoked }: PasswordChange): string[] {
  if (keys.length === 0) return ["The account has no API keys."];
  const heading = areRevoked
    ? "These API keys were revoked and no longer work:"
    : "These API keys still work. Revoke those that you do not know:";
  return [heading, "", ...keys.map(({ name, prefix }) => `- ${name} (${prefix}…)`)];
}
