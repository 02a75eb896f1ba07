import { sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { deliveryId, isWanted } from "./fan-out.ts";

/** A key that expires soon. */
export interface UnreportedKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly prefix: string;
  readonly environment: string;
  readonly expiresAt: Date;
}

/** How long before its end a key is reported, in days. */
export const noticeDays = 7;

/** The most keys of one call. The next one continues. */
const maxKeys = 1000;

/** Keys that expire within 7 days, and whose event an endpoint of their account wants and has not got. */
export async function listUnreportedKeys(db: Queryable): Promise<UnreportedKey[]> {
  const event = sql`'key.expiring'`;
  const rows = await db.execute<Omit<UnreportedKey, "expiresAt"> & { expiresAt: string }>(sql`
    select id, account_id as "accountId", name, prefix, environment, expires_at as "expiresAt"
    from api_keys as key
    where revoked_at is null and expires_at > now()
      and expires_at <= now() + interval '${sql.raw(String(noticeDays))} days'
      and exists (
        select from webhook_endpoints as endpoint
        where endpoint.account_id = key.account_id and ${isWanted(event)}
          and not exists (select from webhook_deliveries where id = ${deliveryId(event, sql`key.id`)})
      )
    order by id limit ${maxKeys}`);
  return rows.map((row) => ({ ...row, expiresAt: new Date(row.expiresAt) }));
}
