import { inject } from "vitest";
import { generateApiKey, hashApiKey } from "#lib/auth/api-keys.ts";
import { createId } from "#lib/ids.ts";
import type { PlanName } from "#lib/plans.ts";
import { ApiClient } from "./api-client.ts";
import { withServiceDatabase } from "./service-database.ts";

/** Clients that each have an account of `plan`, inserted directly into the service's database. */
export function createClients(count: number, plan: PlanName): Promise<ApiClient[]> {
  return withServiceDatabase((sql) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const [id, key] = [createId("acc"), generateApiKey()];
        await sql`
          insert into accounts (id, email, plan, webhook_secret)
          values (${id}, ${`${id}@example.com`.toLowerCase()}, ${plan}, 'whsec_AAAA')`;
        await sql`
          insert into api_keys (id, account_id, name, hash, prefix, last_four)
          values (${createId("key")}, ${id}, 'test', ${hashApiKey(key)}, ${key.slice(0, 12)}, ${key.slice(-4)})`;
        return new ApiClient(inject("service").url, key);
      }),
    ),
  );
}
