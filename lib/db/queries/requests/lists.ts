import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  lt,
  lte,
  max,
  min,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
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
  /** The oldest and the newest request, by their ids. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
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
export type RequestSummary = Omit<ListedRequest, "params">;

/** The same rejected call, several times in a row. Has the values of the newest one. */
export interface RequestGroup extends RequestSummary {
  /** How many requests it stands for. */
  readonly repeats: number;
  /** The id of the oldest one. */
  readonly oldestId: string;
}

const { params: _params, ...summaryColumns } = getTableColumns(apiRequests);

/** The most requests of a page of groups, so that an account with very many costs no more. */
const maxGrouped = 2000;

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

/**
 * A page of an account's requests that match `filter`, as `listRequests`, with rejected requests that follow each
 * other and differ in nothing but their parameters as one. The page after it starts after its last `oldestId`.
 */
export async function listRequestGroups(
  db: Queryable,
  accountId: string,
  filter: RequestFilter,
  { limit, after, before }: RequestPage,
): Promise<{ readonly rows: RequestGroup[]; readonly hasMore: boolean }> {
  const { id, method, path, status, error, apiKeyId } = apiRequests;
  const listed = db
    .select({ id, method, path, status, error, apiKeyId })
    .from(apiRequests)
    .where(
      and(
        eq(apiRequests.accountId, accountId),
        after ? lt(id, after) : undefined,
        before ? gt(id, before) : undefined,
        ...conditions(filter),
      ),
    )
    .orderBy(before ? asc(id) : desc(id))
    .limit(maxGrouped)
    .as("listed");
  const call = [listed.method, listed.path, listed.status, listed.error, listed.apiKeyId];
  const lasts = call.map((column) => sql`lag(${column}) over (order by ${listed.id})`);
  const startsGroup = sql`${listed.status} < 400 or (${sql.join(call, sql`, `)}) is distinct from (${sql.join(lasts, sql`, `)})`;
  const marked = db
    .select({ id: listed.id, starts: sql<number>`(${startsGroup})::int`.as("starts") })
    .from(listed)
    .as("marked");
  const numbered = db
    .select({
      id: marked.id,
      number: sql<number>`sum(${marked.starts}) over (order by ${marked.id})`.as("number"),
    })
    .from(marked)
    .as("numbered");
  const groups = db
    .select({
      newestId: max(numbered.id).as("newest_id"),
      oldestId: min(numbered.id).as("oldest_id"),
      repeats: count().as("repeats"),
    })
    .from(numbered)
    .groupBy(numbered.number)
    .orderBy(before ? asc(max(numbered.id)) : desc(max(numbered.id)))
    .limit(limit + 1)
    .as("groups");
  const found = await db
    .select({
      ...summaryColumns,
      keyName: apiKeys.name,
      repeats: groups.repeats,
      oldestId: sql<string>`${groups.oldestId}`,
    })
    .from(groups)
    .innerJoin(apiRequests, eq(apiRequests.id, groups.newestId))
    .leftJoin(apiKeys, eq(apiKeys.id, apiRequests.apiKeyId))
    .orderBy(before ? asc(apiRequests.id) : desc(apiRequests.id));
  const rows = found.slice(0, limit);
  const grouped = rows.reduce((sum, { repeats }) => sum + repeats, 0);
  return {
    rows: before ? rows.reverse() : rows,
    hasMore: found.length > limit || grouped >= maxGrouped,
  };
}

function conditions(filter: RequestFilter): (SQL | undefined)[] {
  const { path, statusClass, errorCode, apiKeyId, id, createdAfter, createdBefore, from, to } =
    filter;
  return [
    from ? gte(apiRequests.id, from) : undefined,
    to ? lte(apiRequests.id, to) : undefined,
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
