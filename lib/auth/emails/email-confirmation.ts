import { db } from "#lib/db/client.ts";
import {
  type Account,
  findAccount,
  findAccountByEmail,
} from "#lib/db/queries/accounts/accounts.ts";
import { env } from "#lib/env.ts";
import { canSendMail, sendMail } from "#lib/mail/send.ts";
import { isSignatureOf, signParts } from "../cookies/signature.ts";
import { tryAttempt } from "../sign-in-limits.ts";

/**
 * The confirmation of an email address: an account that someone made on the sign-up page has no key and runs no
 * job before the link in an email was opened. Without a mail server no address can be confirmed.
 */

/** How long a link is valid. */
const linkHours = 24;

/** What an account without a confirmed address gets in place of a key or a job. */
export const unconfirmedMessage =
  "Confirm your email address first: open the link in the email that we sent you. The dashboard can send it again.";

/** Whether an account must confirm its email address before it may have keys and jobs. */
export function isEmailUnconfirmed({
  mustConfirmEmail,
}: Pick<Account, "mustConfirmEmail">): boolean {
  return canSendMail && mustConfirmEmail;
}

/** The account of a link. Undefined if the link is invalid or expired, or the account is closed. */
export async function readConfirmationToken(token: string): Promise<Account | undefined> {
  const [accountId = "", expires = "", signature = ""] = token.split(".");
  if (!(Number(expires) > Date.now())) return undefined;
  if (!isSignatureOf(signature, "confirm email", accountId, expires)) return undefined;
  const account = await findAccount(db(), accountId);
  return account?.deletedAt ? undefined : account;
}

/**
 * Sends the email that follows a sign-up: a link to confirm the address or, if the address has an account,
 * the ways into it. Does nothing if the address got too many of them.
 */
export async function sendSignUpMail(email: string): Promise<void> {
  const account = await findAccountByEmail(db(), email);
  if (!account || (await limitMail(email))) return;
  if (isEmailUnconfirmed(account)) await sendLink(account);
  else
    await sendMail({ to: email, subject: "You already have a Mediamill account", text: knownText });
}

/** Sends the link again. Resolves with a message for the user if there were too many. */
export async function sendConfirmation(account: Pick<Account, "id" | "email">) {
  const limited = await limitMail(account.email);
  if (!limited) await sendLink(account);
  return limited;
}

function limitMail(email: string): Promise<string | undefined> {
  return tryAttempt({ kind: "confirmation", subject: email });
}

async function sendLink({ id, email }: Pick<Account, "id" | "email">): Promise<void> {
  const expires = String(Date.now() + linkHours * 3_600_000);
  const token = `${id}.${expires}.${signParts("confirm email", id, expires)}`;
  await sendMail({
    to: email,
    subject: "Confirm your email address for Mediamill",
    text: [
      "Someone, probably you, created an account with this email address at",
      env.APP_URL,
      "",
      `Confirm the address here within ${linkHours} hours, with the password of the account:`,
      `${env.APP_URL}/confirm-email?token=${token}`,
      "",
      "If you do not know the password, choose another one:",
      `${env.APP_URL}/forgot-password`,
      "",
      "If it was not you, ignore this email: the account can do nothing.",
      "",
    ].join("\n"),
  });
}

const knownText = [
  "Someone, probably you, tried to create an account with this email address at",
  env.APP_URL,
  "",
  "There is an account with it already. Sign in here:",
  `${env.APP_URL}/sign-in`,
  "",
  "If you do not know the password, choose another one:",
  `${env.APP_URL}/forgot-password`,
  "",
  "If it was not you, ignore this email: nothing has changed.",
  "",
].join("\n");
