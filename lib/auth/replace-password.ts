import { type Queryable, transaction } from "#lib/db/client.ts";
import { setAccountPassword } from "#lib/db/queries/accounts/accounts.ts";
import { deletePasswordResets } from "#lib/db/queries/accounts/password-resets.ts";
import { deleteSessions } from "#lib/db/queries/accounts/sessions.ts";
import { hashPassword } from "./passwords.ts";

/**
 * Replaces an account's password. Ends all its sessions and invalidates its reset links. In the transaction
 * `tx`, or in one of its own.
 */
export async function replacePassword(
  accountId: string,
  password: string,
  tx?: Queryable,
): Promise<void> {
  const passwordHash = await hashPassword(password);
  const replace = async (tx: Queryable) => {
    await setAccountPassword(tx, accountId, passwordHash);
    await deleteSessions(tx, accountId);
    await deletePasswordResets(tx, accountId);
  };
  await (tx ? replace(tx) : transaction(replace));
}
