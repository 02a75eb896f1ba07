import { transaction } from "#lib/db/client.ts";
import { setAccountPassword } from "#lib/db/queries/accounts/accounts.ts";
import { deletePasswordResets } from "#lib/db/queries/accounts/password-resets.ts";
import { deleteSessions } from "#lib/db/queries/accounts/sessions.ts";
import { hashPassword } from "./passwords.ts";

/** Replaces an account's password. Ends all its sessions and invalidates its reset links. */
export async function replacePassword(accountId: string, password: string): Promise<void> {
  const passwordHash = await hashPassword(password);
  await transaction(async (tx) => {
    await setAccountPassword(tx, accountId, passwordHash);
    await deleteSessions(tx, accountId);
    await deletePasswordResets(tx, accountId);
  });
}
