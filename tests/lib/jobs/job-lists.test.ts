import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import {
  countQuery,
  findJobPosition,
  type JobFilter,
  type JobPage,
  type JobPosition,
  listJobs,
  planForFilter,
  selectPage,
} from "#lib/db/queries/jobs/lists.ts";
import { insertManyJobs, jobAt } from "#tests/service/database/many-jobs.ts";
import { makeAccount } from "#tests/service/jobs.ts";

const many = 100_000;
const limit = 20;
let account: Account;
let deep: JobPosition;

beforeAll(async () => {
  account = await makeAccount();
  await insertManyJobs(account.id, many);
  deep = await jobAt(account.id, many - 1000);
});

interface PlanNode {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How often PostgreSQL plans a prepared statement for its values, before it may keep a generic plan. */
const customPlans = 5;

/** Runs a query as the service does, prepared and often, and returns the nodes of the plan that is used then. */
async function explain(
  query: { toSQL(): { readonly sql: string; readonly params: readonly unknown[] } },
  filter: JobFilter = {},
): Promise<PlanNode[]> {
  const { sql: text, params } = query.toSQL();
  const values = params.map((value) => `'${String(value).replaceAll("'", "''")}'`);
  const execute = sql.raw(`execute listed (${values.join(", ")})`);
  const row = await db().transaction((tx) =>
    planForFilter(tx, filter, async (planned) => {
      await planned.execute(sql.raw(`prepare listed as ${text}`));
      for (let run = 0; run <= customPlans; run++) await planned.execute(execute);
      const [explained] = await planned.execute(sql`explain (analyze, format json) ${execute}`);
      await planned.execute(sql.raw("deallocate listed"));
      return explained;
    }),
  );
  // The documented format of EXPLAIN.
  const [found] = (row?.["QUERY PLAN"] ?? []) as { Plan: PlanNode }[];
  if (!found) throw new Error("there is no plan");
  const nodes: PlanNode[] = [];
  const add = (node: PlanNode) => {
    nodes.push(node);
    for (const child of node.Plans ?? []) add(child);
  };
  add(found.Plan);
  return nodes;
}

/** The most rows that one node of the plan has read. */
function rowsRead(nodes: readonly PlanNode[]): number {
  const read = nodes.map(
    (node) => (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
  );
  return Math.max(...read);
}

it.each<[string, () => JobFilter, () => JobPage]>([
  ["the first page", () => ({}), () => ({ limit })],
  ["a page after a job deep in the list", () => ({}), () => ({ limit, after: deep })],
  ["a page before a job deep in the list", () => ({}), () => ({ limit, before: deep })],
  ["a common status", () => ({ status: "completed" }), () => ({ limit })],
  ["a rare status", () => ({ status: "cancelled" }), () => ({ limit })],
  ["a status without jobs", () => ({ status: "pending" }), () => ({ limit })],
  ["a status, deep in the list", () => ({ status: "failed" }), () => ({ limit, after: deep })],
  ["an operation", () => ({ operation: "image/sharpen" }), () => ({ limit })],
  ["a rare operation", () => ({ operation: "audio/convert" }), () => ({ limit, after: deep })],
  ["an operation without jobs", () => ({ operation: "video/framerate" }), () => ({ limit })],
  ["created_before", () => ({ createdBefore: deep.createdAt }), () => ({ limit })],
  ["created_after", () => ({ createdAfter: deep.createdAt }), () => ({ limit })],
  ["an error code", () => ({ errorCode: "corrupt" }), () => ({ limit })],
  ["an error code without jobs", () => ({ errorCode: "empty" }), () => ({ limit })],
  ["a key", () => ({ apiKeyId: "key_many" }), () => ({ limit, after: deep })],
  ["a key without jobs", () => ({ apiKeyId: "key_none" }), () => ({ limit })],
])(
  "%s: an index leads to the rows of the page, and no others are read",
  async (_what, filter, page) => {
    const nodes = await explain(selectPage(db(), account.id, filter(), page()));
    expect(nodes.map((node) => node["Node Type"])).not.toContain("Seq Scan");
    expect(rowsRead(nodes)).toBeLessThanOrEqual(limit + 1);
  },
);

it.each<[string, () => JobFilter]>([
  ["all jobs", () => ({ createdBefore: new Date() })],
  ["a status", () => ({ status: "completed", createdBefore: new Date() })],
  ["an operation", () => ({ operation: "image/sharpen", createdBefore: new Date() })],
])("the count of %s stops after 10,001 rows", async (_what, filter) => {
  const nodes = await explain(countQuery(db(), account.id, filter()));
  expect(nodes.map((node) => node["Node Type"])).not.toContain("Seq Scan");
  expect(rowsRead(nodes)).toBeGreaterThanOrEqual(10_001);
  // A filter that most jobs match may skip some.
  expect(rowsRead(nodes)).toBeLessThan(11_000);
});

it.each([
  ["one job has", { number: "50000" }],
  ["no job has", { number: "none" }],
])("metadata that %s: an index leads to it, and no other job is read", async (_what, values) => {
  const filter = { metadata: values };
  for (const query of [
    selectPage(db(), account.id, filter, { limit }),
    countQuery(db(), account.id, filter),
  ]) {
    expect(rowsRead(await explain(query, filter))).toBeLessThanOrEqual(1);
  }
});

it("metadata that half of the jobs have: the newest jobs are read", async () => {
  const filter = { metadata: { parity: "odd" } };
  const nodes = await explain(selectPage(db(), account.id, filter, { limit }), filter);
  expect(rowsRead(nodes)).toBeLessThanOrEqual(3 * limit);
});

it("pages by job in both directions, through jobs of the same time, without a gap or a repeat", async () => {
  const owner = await makeAccount();
  await insertManyJobs(owner.id, 25, { sameTime: true });
  const whole = await listJobs(db(), owner.id, {}, { limit: 100 });
  const ids = whole.rows.map((row) => row.id);
  expect([ids.length, whole.total, whole.hasMore]).toEqual([25, 25, false]);
  const older: string[] = [];
  let after: JobPosition | undefined;
  for (let more = true; more; ) {
    const { rows, hasMore } = await listJobs(db(), owner.id, {}, { limit: 10, after });
    older.push(...rows.map((row) => row.id));
    after = rows.at(-1);
    more = hasMore;
  }
  expect(older).toEqual(ids);
  const newer: string[] = [];
  let before = await findJobPosition(db(), owner.id, ids.at(-1) ?? "");
  for (let more = true; more; ) {
    const { rows, hasMore } = await listJobs(db(), owner.id, {}, { limit: 10, before });
    newer.unshift(...rows.map((row) => row.id));
    before = rows[0];
    more = hasMore;
  }
  expect(newer).toEqual(ids.slice(0, -1));
});

it.each<[string, JobFilter, number]>([
  ["part of a file name, in another case", { filename: "GRÜSSE_1%" }, 1],
  ["a file name with other characters", { filename: "grüsse_1x" }, 0],
  ["one value of the metadata", { metadata: { parity: "odd" } }, 13],
  ["two values", { metadata: { parity: "odd", number: "7" } }, 1],
  ["a value under another key", { metadata: { number: "odd" } }, 0],
  ["an error code", { errorCode: "corrupt" }, 1],
  ["a key", { apiKeyId: "key_many", status: "completed" }, 23],
])("filters by %s", async (_what, filter, expected) => {
  const owner = await makeAccount();
  await insertManyJobs(owner.id, 25);
  await db().execute(sql`
    update jobs set
      input = json_build_object('filename', 'Grüsse_' || (metadata ->> 'number') || '%.png')
    where account_id = ${owner.id}`);
  const { rows, total } = await listJobs(db(), owner.id, filter, { limit: 100 });
  expect([rows.length, total]).toEqual([expected, expected]);
});
