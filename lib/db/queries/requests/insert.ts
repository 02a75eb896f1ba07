import { sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import type { ApiRequest } from "../../schema/dashboard/api-requests.ts";
import { defineStatement } from "../../statement.ts";

/** One statement for any number of rows. Rows of accounts that are deleted are left out. */
const insert = defineStatement<"rows">(
  (value) => sql`
    insert into api_requests (id, account_id, api_key_id, method, path, status, error_code, error,
      address, duration_ms, job_id, params, created_at)
    select given.* from json_to_recordset(${value("rows")}::json) as given("id" text,
      "accountId" text, "apiKeyId" text, "method" text, "path" text, "status" smallint,
      "errorCode" text, "error" text, "address" text, "durationMs" integer, "jobId" text,
      "params" json, "createdAt" timestamptz)
    join accounts on accounts.id = given."accountId"
    on conflict do nothing`,
);

/** Inserts requests in one round trip. Their texts must have no NUL and no lone surrogate. */
export async function insertRequests(db: Queryable, rows: readonly ApiRequest[]): Promise<void> {
  await db.execute(insert({ rows: JSON.stringify(rows) }));
}
