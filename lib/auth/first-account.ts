import { db } from "#lib/db/client.ts";
import { countAccounts } from "#lib/db/queries/accounts/accounts.ts";
import { createAccount } from "./accounts.ts";
import { createApiKey } from "./api-keys.ts";
import { generatePassword } from "./passwords.ts";

export interface FirstAccount {
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
}

/** The email address of the first account, which the operator of the installation signs in with. */
const firstEmail = "admin@localhost";

/**
 * Creates `admin@localhost` in a new installation. Returns undefined if there is any account, unless the database is
 * new: then a person or a command was faster.
 */
export async function createFirstAccount({
  isNewDatabase,
}: {
  readonly isNewDatabase: boolean;
}): Promise<FirstAccount | undefined> {
  if (!isNewDatabase && (await countAccounts(db())) > 0) return undefined;
  const email = firstEmail;
  const password = generatePassword();
  const account = await createAccount({
    email,
    plan: "enterprise",
    role: "operator",
    password,
    mustSetPassword: true,
  });
  if (!account) return undefined;
  const { apiKey } = await createApiKey(account.id, { name: "First key" });
  return { email, password, apiKey };
}
