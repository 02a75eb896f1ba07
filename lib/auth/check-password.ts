import { db } from "#lib/db/client.ts";
import { type Account, findAccountByEmail } from "#lib/db/queries/accounts/accounts.ts";
import type { Caller } from "./caller.ts";
import { readBrowserToken } from "./cookies/known-browser.ts";
import { generatePassword, hashPassword, verifyPassword } from "./passwords.ts";
import {
  type Attempt,
  attemptsFromAddress,
  consumeAttempts,
  passwordAttempts,
  refundAttempts,
} from "./sign-in-limits.ts";

let placeholderHash: Promise<string> | undefined;

/**
 * The account with this email address and password; undefined if there is none. Verification takes
 * the same time whether or not the account exists. The attempt is counted before the password is
 * verified. Throws `TooManyAttemptsError`.
 */
export async function checkPassword(
  email: string,
  password: string,
  caller: Pick<Caller, "address" | "knownBrowser">,
): Promise<Account | undefined> {
  placeholderHash ??= hashPassword(generatePassword());
  const hashWithoutAccount = await placeholderHash;
  const account = await findAccountByEmail(db(), email);
  const browser = account && readBrowserToken(caller.knownBrowser, account.id);
  const attempts: Attempt[] = [
    ...(browser
      ? [{ kind: "browser", subject: browser } as const]
      : passwordAttempts(email, caller.address)),
    ...attemptsFromAddress("address", caller.address),
  ];
  await consumeAttempts(attempts);
  const matches = await verifyPassword(account?.passwordHash ?? hashWithoutAccount, password);
  if (!matches || !account?.passwordHash) return undefined;
  await refundAttempts(attempts);
  return account;
}
