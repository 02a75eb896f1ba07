import { type Queryable, transaction } from "#lib/db/client.ts";
import { setAccountPassword } from "#lib/db/queries/accounts/accounts.ts";
import {
  type ApiKey,
  listActiveKeys,
  revokeAllApiKeys,
} from "#lib/db/queries/accounts/api-keys.ts";
import { deleteDecidedDevices } from "#lib/db/queries/accounts/device-codes.ts";
import { deletePasswordResets } from "#lib/db/queries/accounts/password-resets.ts";
import { deleteSessions } from "#lib/db/queries/accounts/sessions.ts";
import { hashPassword } from "./passwords.ts";

/** What a new password meant for the account's API keys. */
export interface PasswordChange {
  /** The keys that were valid before. */
  readonly keys: readonly ApiKey[];
  readonly areRevoked: boolean;
}

/**
 * Replaces an account's password. Ends all its sessions and invalidates its reset links. `revokeKeys` also revokes
 * all API keys, those that devices were about to get included: for a password that was set without the previous
 * one, because someone else may have had access. In the transaction `tx`, or in one of its own.
 */
export async function replacePassword(
  accountId: string,
  password: string,
  { revokeKeys }: { readonly revokeKeys: boolean },
  tx?: Queryable,
): Promise<PasswordChange> {
  const passwordHash = await hashPassword(password);
  const replace = async (tx: Queryable) => {
    await setAccountPassword(tx, accountId, passwordHash);
    await deleteSessions(tx, accountId);
    await deletePasswordResets(tx, accountId);
    // First the codes: a device that takes its key at the same time has it before the keys are revoked.
    if (revokeKeys) await deleteDecidedDevices(tx, accountId);
    const keys = await listActiveKeys(tx, accountId);
    if (revokeKeys) await revokeAllApiKeys(tx, accountId);
    return { keys, areRevoked: revokeKeys };
  };
  return tx ? replace(tx) : transaction(replace);
}
