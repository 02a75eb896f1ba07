import { and, asc, desc, eq, getTableColumns, gt, gte, lt, or, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { apiKeys } from "../../schema/credentials/api-keys.ts";
import { type ApiRequest, apiRequests } from "../../schema/dashboard/api-requests.ts";

export interface RequestFilter {
  /** Part of the method and the path, as in `POST /v1/image`, in any case. */
  readonly path?: string | undefined;
  /** The first digit of the status: 2 for 200 to 299. */
  readonly statusClass?: number | undefined;
  readonly errorCode?: string | undefined;
  readonly apiKeyId?: string | undefined;
  /** The id of the request or of its job, or the start of it. */
  readonly id?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

/** A page, newest first: directly after or before a request, by its id. */
export interface RequestPage {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

export interface ListedRequest extends ApiRequest {
  /** The name of the key. */
  readonly keyName: string | null;
}

/** A request without its parameters, which lists do not show. */
export type RequestSummary = Omit<ListedRequest, "params" | "error">;

const { params: _params, error: _error, ...summaryColumns } = getTableColumns(apiRequests);

/**
 * A page of an account's requests that match `filter`. Without an index for each filter, because an account has
 * at most `maxKeptRequests`. `hasMore`: there are more in the direction of the page.
 */
export async function listRequests(
  db: Queryable,
  accountId: string,
  filter: RequestFilter,
  { limit, after, before }: RequestPage,
): Promise<{ readonly rows: RequestSummary[]; readonly hasMore: boolean }> {
  const found = await db
    .select({ ...summaryColumns, keyName: apiKeys.name })
    .from(apiRequests)
    .leftJoin(apiKeys, eq(apiKeys.id, apiRequests.apiKeyId))
    .where(
      and(
        eq(apiRequests.accountId, accountId),
        after ? lt(apiRequests.id, after) : undefined,
        before ? gt(apiRequests.id, before) : undefined,
        ...conditions(filter),
      ),
    )
    .orderBy(before ? asc(apiRequests.id) : desc(apiRequests.id))
    .limit(limit + 1);
  const rows = found.slice(0, limit);
  return { rows: before ? rows.reverse() : rows, hasMore: found.length > limit };
}

function conditions(filter: RequestFilter): (SQL | undefined)[] {
  const { path, statusClass, errorCode, apiKeyId, id, createdAfter, createdBefore } = filter;
  return [
    path
      ? sql`strpos(lower(${apiRequests.method} || ' ' || ${apiRequests.path}), lower(${path}::text)) > 0`
      : undefined,
    statusClass === undefined ? undefined : sql`${apiRequests.status} / 100 = ${statusClass}::int`,
    errorCode ? eq(apiRequests.errorCode, errorCode) : undefined,
    apiKeyId ? eq(apiRequests.apiKeyId, apiKeyId) : undefined,
    id
      ? or(
          sql`starts_with(${apiRequests.id}, ${id})`,
          sql`starts_with(${apiRequests.jobId}, ${id})`,
        )
      : undefined,
    createdAfter && gte(apiRequests.createdAt, createdAfter),
    createdBefore && lt(apiRequests.createdAt, createdBefore),
  ];
}

/** A request of the account. */
export async function findRequest(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<ListedRequest | undefined> {
  const rows = await db
    .select({ ...getTableColumns(apiRequests), keyName: apiKeys.name })
    .from(apiRequests)
    .leftJoin(apiKeys, eq(apiKeys.id, apiRequests.apiKeyId))
    .where(and(eq(apiRequests.id, id), eq(apiRequests.accountId, accountId)));
  return rows[0];
}
