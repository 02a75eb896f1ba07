import { inject } from "vitest";
import { generateApiKey, hashApiKey } from "#lib/auth/api-keys.ts";
import { hashPassword } from "#lib/auth/passwords.ts";
import { createId } from "#lib/ids.ts";
import type { PlanName } from "#lib/plans.ts";
import { generateWebhookSecret } from "#lib/webhooks/secret.ts";
import { withServiceDatabase } from "./database/service-database.ts";
import { ApiClient } from "./http/api-client.ts";

/** An account with one API key. */
export interface InsertedAccount {
  readonly id: string;
  readonly email: string;
  readonly key: string;
  readonly keyId: string;
  readonly webhookSecret: string;
}

interface AccountValues {
  /** The email address; by default a new one. */
  readonly email?: string;
  /** The plan; by default free. */
  readonly plan?: PlanName;
  /** The password; without one, no one can sign in. */
  readonly password?: string;
}

/**
 * Inserts an account directly into the database of the service under test, or of that with `dataDir`.
 * A process of `npm run admin` would need a second of CPU time.
 */
export async function insertAccount(
  values: AccountValues = {},
  dataDir?: string,
): Promise<InsertedAccount> {
  const id = createId("acc");
  const { email = `${id}@example.com`.toLowerCase(), plan = "free", password } = values;
  const passwordHash = password === undefined ? null : await hashPassword(password);
  const webhookSecret = generateWebhookSecret();
  await withServiceDatabase(
    (sql) => sql`
      insert into accounts (id, email, plan, password_hash, webhook_secret)
      values (${id}, ${email}, ${plan}, ${passwordHash}, ${webhookSecret})`,
    dataDir,
  );
  return { id, email, webhookSecret, ...(await insertKey(id, "First key", dataDir)) };
}

/** Inserts a further API key of an account. */
export async function insertKey(
  accountId: string,
  name = "API key",
  dataDir?: string,
): Promise<Pick<InsertedAccount, "key" | "keyId">> {
  const keyId = createId("key");
  const key = generateApiKey();
  await withServiceDatabase(
    (sql) => sql`
      insert into api_keys (id, account_id, name, hash, prefix, last_four)
      values (${keyId}, ${accountId}, ${name}, ${hashApiKey(key)}, ${key.slice(0, 12)}, ${key.slice(-4)})`,
    dataDir,
  );
  return { keyId, key };
}

/** Clients that each have an account of `plan`. */
export function createClients(count: number, plan: PlanName): Promise<ApiClient[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const { key } = await insertAccount({ plan });
      return new ApiClient(inject("service").url, key);
    }),
  );
}

/** A new account of the service's database with this password, and its email address. */
export async function insertPerson(password: string): Promise<string> {
  return (await insertAccount({ password })).email;
}
