import { sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { isOpenAccount } from "./accounts.ts";
import { isActiveKey } from "./api-keys.ts";

/**
 * What a caller's access depends on: its API key, its browser token, its session of the dashboard or, for a
 * visitor without any, its account. `id` is the id of that row.
 */
export interface Grant {
  readonly kind: "key" | "token" | "session" | "account";
  readonly id: string;
}

/** A text that names the grant among all grants. */
export function nameGrant({ kind, id }: Grant): string {
  return `${kind}:${id}`;
}

/**
 * The names of those grants that are valid: neither revoked, ended nor expired, and of an account that is
 * neither suspended nor closed. One query for any number of grants.
 */
export async function findValidGrants(
  db: Queryable,
  grants: readonly Grant[],
): Promise<ReadonlySet<string>> {
  const idsOf = (kind: Grant["kind"]) => {
    const ids = grants.filter((grant) => grant.kind === kind).map(({ id }) => id);
    return sql`(select jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb))`;
  };
  const rows = await db.execute<{ name: string }>(sql`
    select 'key:' || api_keys.id as name
    from api_keys join accounts on accounts.id = api_keys.account_id
    where api_keys.id in ${idsOf("key")} and ${isActiveKey} and ${isOpenAccount}
    union all
    select 'token:' || browser_tokens.id
    from browser_tokens join accounts on accounts.id = browser_tokens.account_id
      join api_keys on api_keys.id = browser_tokens.api_key_id
    where browser_tokens.id in ${idsOf("token")} and browser_tokens.expires_at > now()
      and ${isActiveKey} and ${isOpenAccount}
    union all
    select 'session:' || sessions.id
    from sessions join accounts on accounts.id = sessions.account_id
    where sessions.id in ${idsOf("session")} and sessions.expires_at > now() and ${isOpenAccount}
    union all
    select 'account:' || accounts.id from accounts
    where accounts.id in ${idsOf("account")} and ${isOpenAccount}`);
  return new Set(rows.map(({ name }) => name));
}
