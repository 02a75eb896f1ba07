import { db } from "#lib/db/client.ts";
import { type Account, findAccountByEmail } from "#lib/db/queries/accounts/accounts.ts";
import type { Caller } from "./caller.ts";
import { readBrowserToken } from "./known-browser.ts";
import { generatePassword, hashPassword, verifyPassword } from "./passwords.ts";
import { type Attempt, fromAddress, giveBackAttempts, takeAttempts } from "./sign-in-limits.ts";

let decoy: Promise<string> | undefined;

/**
 * The account that this e-mail address and password open; undefined for every pair that opens none,
 * after the same work, whether or not there is such an account. The attempt is counted before the
 * work starts. Throws `TooManyAttemptsError`.
 */
export async function checkPassword(
  email: string,
  password: string,
  caller: Pick<Caller, "address" | "knownBrowser">,
): Promise<Account | undefined> {
  decoy ??= hashPassword(generatePassword());
  const nobodysHash = await decoy;
  const account = await findAccountByEmail(db(), email);
  const browser = account && readBrowserToken(caller.knownBrowser, account.id);
  const attempts: Attempt[] = [
    browser ? { kind: "browser", of: browser } : { kind: "password", of: email },
    ...fromAddress("address", caller.address),
  ];
  await takeAttempts(attempts);
  const matches = await verifyPassword(account?.passwordHash ?? nobodysHash, password);
  if (!matches || !account?.passwordHash) return undefined;
  await giveBackAttempts(attempts);
  return account;
}
