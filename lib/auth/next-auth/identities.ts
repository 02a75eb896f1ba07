import { db, transaction } from "#lib/db/client.ts";
import { type Account, findAccountByEmail } from "#lib/db/queries/accounts/accounts.ts";
import {
  findAccountByIdentity,
  type Identity,
  insertIdentity,
  listProviders,
} from "#lib/db/queries/accounts/identities.ts";
import { createAccount } from "../accounts.ts";
import { attemptsFromAddress, consumeAttempts } from "../sign-in-limits.ts";
import { isSignUpOpen } from "../sign-up.ts";

/** Why a provider's identity is rejected; `sign-in-errors.ts` has the messages. */
export type IdentityRejection =
  | "NoVerifiedEmail"
  | "AccountExists"
  | "SignUpClosed"
  | "AccountSuspended";

/**
 * The account of an identity that a provider has just authenticated; created if there is none.
 * `email` must be verified by the provider. `address` is the caller's. Throws `TooManyAttemptsError`.
 *
 * An account with a password is never linked to a provider by its email address alone: its creator
 * may not own the address. An account that the operator created without a password can be linked.
 */
export async function findOrCreateAccountByIdentity(
  identity: Identity,
  email: string | undefined,
  address?: string,
): Promise<Account | IdentityRejection> {
  const known = await findAccountByIdentity(db(), identity);
  if (known) return known.suspendedAt ? "AccountSuspended" : known;
  if (!email) return "NoVerifiedEmail";
  const existing = await findAccountByEmail(db(), email.toLowerCase());
  if (existing) {
    const isTaken = existing.passwordHash || (await listProviders(db(), existing.id)).length > 0;
    if (isTaken) return "AccountExists";
    await insertIdentity(db(), { ...identity, accountId: existing.id });
    return existing;
  }
  if (!(await isSignUpOpen())) return "SignUpClosed";
  await consumeAttempts(attemptsFromAddress("signUp", address));
  const created = await transaction(async (tx) => {
    const account = await createAccount({ email }, tx);
    if (account) await insertIdentity(tx, { ...identity, accountId: account.id });
    return account;
  });
  // Undefined: a concurrent request created an account with this address.
  return created ?? "AccountExists";
}
