import type postgres from "postgres";

/**
 * The statements of the request log as versions before its partitions send them, as prepared ones. They know a table
 * `api_requests` whose key is `id`.
 */
export const requestStatements = {
  insert: `
    insert into api_requests (id, account_id, api_key_id, method, path, status, error_code, error,
      address, duration_ms, job_id, params, created_at)
    select given.* from json_to_recordset($1::json) as given("id" text,
      "accountId" text, "apiKeyId" text, "method" text, "path" text, "status" smallint,
      "errorCode" text, "error" text, "address" text, "durationMs" integer, "jobId" text,
      "params" json, "createdAt" timestamptz)
    join accounts on accounts.id = given."accountId"
    on conflict do nothing`,
  list: `select "id", "created_at" from "api_requests" where "api_requests"."account_id" = $1
    order by "api_requests"."id" desc limit $2`,
  find: `select "id" from "api_requests"
    where ("api_requests"."id" = $1 and "api_requests"."account_id" = $2)`,
  trim: `delete from api_requests where account_id = $1 and id <= (
      select id from api_requests where account_id = $2 order by id desc offset $3 limit 1)`,
  deleteOld: `delete from "api_requests"
    where "api_requests"."created_at" < now() - make_interval(days => $1)`,
} as const;

/** A request as those versions insert it. */
export interface OldRequest {
  readonly id: string;
  readonly accountId: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Inserts requests as those versions do. */
export async function insertAsBefore(
  sql: postgres.Sql,
  requests: readonly OldRequest[],
): Promise<void> {
  const rows = requests.map((request) => ({
    apiKeyId: "key_1",
    method: "POST",
    path: "/v1/image/resize",
    status: 202,
    address: "192.0.2.1",
    durationMs: 12,
    params: { fields: { input: "https://example.com/photo.jpg?size=large", width: 640 } },
    ...request,
  }));
  await sql.unsafe(requestStatements.insert, [sql.json(rows)], { prepare: true });
}
