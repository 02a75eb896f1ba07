import { db, transaction } from "#lib/db/client.ts";
import { type Account, findAccountByEmail } from "#lib/db/queries/accounts/accounts.ts";
import {
  findAccountByIdentity,
  type Identity,
  insertIdentity,
  listProviders,
} from "#lib/db/queries/accounts/identities.ts";
import { env } from "#lib/env.ts";
import { createAccount } from "./accounts.ts";

/** Why somebody whom a provider knows does not get in; `sign-in-errors.ts` has the sentences. */
export type IdentityRefusal = "NoVerifiedEmail" | "AccountExists" | "SignUpClosed";

/**
 * The account of somebody whom a provider has just confirmed, made where there is none. `email` is
 * one that the provider has verified.
 *
 * An account with a password is never tied to a provider by its e-mail address alone: whoever made
 * it need not be who has the address. One that the operator made without a password is nobody's yet.
 */
export async function admitIdentity(
  identity: Identity,
  email: string | undefined,
): Promise<Account | IdentityRefusal> {
  const known = await findAccountByIdentity(db(), identity);
  if (known) return known;
  if (!email) return "NoVerifiedEmail";
  const existing = await findAccountByEmail(db(), email.toLowerCase());
  if (existing) {
    const isTaken = existing.passwordHash || (await listProviders(db(), existing.id)).length > 0;
    if (isTaken) return "AccountExists";
    await insertIdentity(db(), { ...identity, accountId: existing.id });
    return existing;
  }
  if (env.SIGN_UP === "closed") return "SignUpClosed";
  const made = await transaction(async (tx) => {
    const account = await createAccount({ email }, tx);
    if (account) await insertIdentity(tx, { ...identity, accountId: account.id });
    return account;
  });
  // Undefined: somebody was quicker with this address.
  return made ?? "AccountExists";
}
