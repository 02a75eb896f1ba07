import { inArray, sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import {
  findJobPosition,
  type JobPage,
  listJobs,
  maxPageBytes,
  readAllJobs,
} from "#lib/db/queries/jobs/lists.ts";
import { jobs } from "#lib/db/schema/jobs.ts";
import { insertManyJobs, jobAt } from "#tests/service/database/many-jobs.ts";
import { makeAccount } from "#tests/service/jobs.ts";

/** Pages of jobs whose parameters or results are long. */

const count = 40;
let accountId = "";
let ids: string[] = [];

beforeAll(async () => {
  accountId = (await makeAccount()).id;
  await insertManyJobs(accountId, count);
  ids = (await listJobs(db(), accountId, {}, { limit: count })).rows.map(({ id }) => id);
  // Repeated text, which PostgreSQL stores compressed.
  const text = sql`json_build_object('html', repeat('long ', 200000))`;
  await db()
    .update(jobs)
    .set({ params: text })
    .where(inArray(jobs.id, ids.slice(10, 20)));
  await db()
    .update(jobs)
    .set({ result: text })
    .where(inArray(jobs.id, ids.slice(20, 30)));
});

async function list(page: JobPage) {
  const { rows, hasMore } = await listJobs(db(), accountId, {}, page);
  const sizes = rows.map(({ params, result }) => JSON.stringify([params, result]).length);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { ids: rows.map(({ id }) => id), hasMore, bytes };
}

it("a page ends before its jobs are too large, in both directions", async () => {
  const first = await list({ limit: count });
  expect(first.ids).toEqual(ids.slice(0, first.ids.length));
  expect(first.ids.length).toBeGreaterThan(15);
  expect([first.hasMore, first.ids.length < count]).toEqual([true, true]);
  expect(first.bytes).toBeLessThanOrEqual(maxPageBytes);
  const before = await findJobPosition(db(), accountId, ids.at(-1) ?? "");
  const last = await list({ limit: count, before });
  expect(last.ids).toEqual(ids.slice(-last.ids.length - 1, -1));
  expect([last.hasMore, last.ids.length < count - 1]).toEqual([true, true]);
  expect(last.bytes).toBeLessThanOrEqual(maxPageBytes);
});

it("every job is on one page, by job and by offset", async () => {
  const byJob: string[] = [];
  for await (const rows of readAllJobs(db(), accountId, {}, 25)) {
    byJob.push(...rows.map(({ id }) => id));
  }
  expect(byJob).toEqual(ids);
  const byOffset: string[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = await list({ limit: 25, offset: byOffset.length });
    byOffset.push(...page.ids);
    hasMore = page.hasMore;
  }
  expect(byOffset).toEqual(ids);
});

it("a page has at least one job, however large", async () => {
  const huge = sql`json_build_object('html', repeat('x', ${maxPageBytes + 1}::int))`;
  await db()
    .update(jobs)
    .set({ params: huge })
    .where(inArray(jobs.id, ids.slice(0, 2)));
  const first = await list({ limit: 5 });
  expect([first.ids, first.hasMore]).toEqual([ids.slice(0, 1), true]);
  const second = await list({ limit: 5, after: await jobAt(accountId, 0) });
  expect([second.ids, second.hasMore]).toEqual([ids.slice(1, 2), true]);
});

it("a page of the last jobs has none after it", async () => {
  const last = await list({ limit: 5, offset: count - 5 });
  expect([last.ids, last.hasMore]).toEqual([ids.slice(-5), false]);
  expect(await list({ limit: 5, offset: count })).toMatchObject({ ids: [], hasMore: false });
});
