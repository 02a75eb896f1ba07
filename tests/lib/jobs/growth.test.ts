import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db, transaction } from "#lib/db/client.ts";
import { databaseUrl } from "#lib/db/connection.ts";
import { claimNextJob } from "#lib/db/queries/jobs/claims.ts";
import { listJobs } from "#lib/db/queries/jobs/lists.ts";
import { readDueJobs } from "#lib/db/queries/jobs/queue-state.ts";
import { type PlanName, planNames, plans } from "#lib/plans.ts";
import {
  type Explained,
  type ExplainedDatabase,
  openExplained,
} from "#tests/service/database/explain.ts";
import { analyzeTables, grow, hotQueries } from "#tests/service/database/growth.ts";
import { insertManyJobs } from "#tests/service/database/many-jobs.ts";
import { makeAccount } from "#tests/service/jobs.ts";

/**
 * Differences between the sizes: another level of an index, which a page of 21 jobs reads for each of them, blocks that
 * are partly filled, and another plan, because PostgreSQL reads a small table as a whole.
 */
const allowedBlocks = 150;

describe("the number of blocks that a statement reads", () => {
  let explained: ExplainedDatabase;
  let accounts: string[];
  const small: Record<string, Explained> = {};
  const names = Object.keys(hotQueries(""));

  beforeAll(async () => {
    explained = openExplained(databaseUrl());
    accounts = [];
    for (let count = 0; count < 20; count++) accounts.push((await makeAccount("pro")).id);
    await grow({ accounts, ended: 200, deliveriesPerJob: 2, waiting: 100 });
    await analyzeTables();
    const queries = Object.entries(hotQueries(accounts[0] ?? ""));
    for (const [name, query] of queries) small[name] = await explained.explain(query);
    await grow({ accounts, ended: 40_000, deliveriesPerJob: 2, waiting: 20_000 });
    await analyzeTables();
  });
  afterAll(async () => {
    await explained.close();
    await db().execute(sql`delete from jobs`);
  });

  it.each(names)("%s: does not grow with two hundred times as many rows", async (name) => {
    const query = hotQueries(accounts[0] ?? "")[name];
    if (!query) throw new Error(`there is no query ${name}`);
    const large = await explained.explain(query);
    const before = small[name]?.blocks ?? 0;
    expect(large.blocks, large.plans).toBeLessThan(2 * before + allowedBlocks);
  });

  it("jobs whose retry is delayed are skipped in the index, without their rows", async () => {
    await db().execute(
      sql`update jobs set run_after = now() + interval '1 hour' where status = 'pending' and account_id <> ${accounts[0]}`,
    );
    await db().execute(sql`vacuum jobs`);
    const { stages, nextSeconds } = await readDueJobs(db());
    expect(stages).toEqual(["run"]);
    expect(nextSeconds).toBeGreaterThan(3500);
    for (const name of ["claim the next job", "read which jobs are due"]) {
      const query = hotQueries(accounts[0] ?? "")[name];
      const large = await explained.explain((tx) => query?.(tx) ?? Promise.reject());
      // A block of the index has about fifty jobs. A claim reads it three times.
      expect(large.blocks, large.plans).toBeLessThan(0.15 * 20_000);
    }
  });
});

it("a rare value of the metadata is found by its index, and in every page and total", async () => {
  const account = await makeAccount("pro");
  await insertManyJobs(account.id, 20_000);
  const database = openExplained(databaseUrl());
  try {
    const filter = { metadata: { number: "15000", parity: "even" } };
    const large = await database.explain((tx) => listJobs(tx, account.id, filter, { limit: 20 }));
    expect(large.blocks, large.plans).toBeLessThan(200);
    const { rows, total } = await listJobs(db(), account.id, filter, { limit: 20 });
    expect(rows.map(({ metadata }) => metadata)).toEqual([filter.metadata]);
    expect(total).toBe(1);
    const half = await listJobs(db(), account.id, { metadata: { parity: "odd" } }, { limit: 5 });
    expect([half.rows.length, half.total]).toEqual([5, 10_000]);
    const wrong = { metadata: { number: "15000", parity: "odd" } };
    expect((await listJobs(db(), account.id, wrong, { limit: 5 })).total).toBe(0);
  } finally {
    await database.close();
  }
});

interface Waiting {
  readonly id: string;
  readonly account_id: string;
  readonly plan: PlanName;
  readonly age: number;
  readonly last_turn: number | null;
  readonly running: number;
  readonly account_plan: PlanName;
}

/** The order of `docs/architecture/job-lifecycle.md`, computed from all waiting jobs. */
function compareJobs(one: Waiting, other: Waiting): number {
  const priority = ({ age, plan }: Waiting) => (age > 600 ? 100 : plans[plan].priority);
  const turn = ({ last_turn }: Waiting) => last_turn ?? Number.NEGATIVE_INFINITY;
  return (
    priority(other) - priority(one) ||
    one.running - other.running ||
    // Two accounts without a turn are equal, but infinities have no difference.
    (turn(one) === turn(other) ? 0 : turn(one) - turn(other)) ||
    other.age - one.age ||
    (one.id < other.id ? -1 : 1)
  );
}

async function expectedOrder(idle: boolean): Promise<string[]> {
  const rows = await db().execute<Waiting & Record<string, unknown>>(sql`
    select jobs.id, jobs.account_id, jobs.plan, accounts.plan as account_plan,
      extract(epoch from now() - jobs.created_at)::float8 as age,
      extract(epoch from turns.last_turn_at)::float8 as last_turn,
      (select count(*)::int from jobs as held
        where held.account_id = jobs.account_id and held.status = 'processing' and held.lease_token is not null) as running
    from jobs join accounts on accounts.id = jobs.account_id
    left join account_turns as turns on turns.account_id = jobs.account_id and turns.stage = 'run'
    where jobs.status in ('pending', 'processing') and jobs.lease_token is null and jobs.stage = 'run'
      and jobs.run_after <= now() and (${idle} or jobs.runner_deaths not between 2 and 9)`);
  return rows
    .filter((job) => job.running < (plans[job.account_plan].concurrentJobs ?? Infinity))
    .sort(compareJobs)
    .map(({ id }) => id);
}

it("two hundred claims of random jobs take the first one by the rules", async () => {
  const accounts: string[] = [];
  for (const plan of [...planNames, ...planNames]) accounts.push((await makeAccount(plan)).id);
  // One transaction, because the seed is that of a connection. No job gets 600 seconds old, and so another
  // priority, during the test: between the order and the claim, too.
  await transaction(async (tx) => {
    await tx.execute(sql`delete from jobs`);
    await tx.execute(sql`select setseed(0.25)`);
    await tx.execute(sql`
    insert into jobs (id, account_id, operation, params, status, source, input, request_id, plan, stage,
      period, created_at, run_after, runner_deaths)
    select 'job_' || i, (${sql.param(accounts)}::text[])[1 + floor(random() * 8)], 'image/sharpen', '{}',
      case when random() < 0.2 then 'processing' else 'pending' end, '{}', '{}', 'req',
      (${sql.param([...planNames])}::text[])[1 + floor(random() * 4)],
      case when random() < 0.9 then 'run' else 'fetch' end, '2026-11',
      now() - (floor(random() * 12) * 100 + floor(random() * 50) + 1) * interval '1 second',
      now() + case when random() < 0.1 then interval '1 hour' else interval '-1 second' end,
      case when random() < 0.1 then 3 else 0 end
    from generate_series(1, 300) as i`);
  });
  let claims = 0;
  for (let round = 0; round < 200; round++) {
    const idle = round % 3 === 0;
    const [next] = await expectedOrder(idle);
    const claimed = await transaction((tx) => claimNextJob(tx, "run", `t${round}`, 60, { idle }));
    expect(claimed?.job.id).toBe(next);
    if (claimed) claims++;
    // Some jobs end, so that accounts may run others.
    if (round % 2 === 1) {
      await db().execute(sql`
        update jobs set status = 'completed', lease_token = null where id = (
          select id from jobs where lease_token is not null order by md5(id || ${round}::text) limit 1)`);
    }
    // Turns are ordered by the millisecond.
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  // The others found all accounts at their limits.
  expect(claims).toBeGreaterThan(120);
});

it("a job that another transaction holds does not hold up a claim", async () => {
  await db().execute(sql`delete from jobs`);
  const account = await makeAccount("enterprise");
  await grow({ accounts: [account.id], ended: 0, deliveriesPerJob: 0, waiting: 5 });
  await transaction(async (tx) => {
    const [oldest] = await tx.execute<{ id: string }>(
      sql`select id from jobs order by created_at limit 1 for update`,
    );
    const claimed = await transaction((other) =>
      claimNextJob(other, "run", "token", 60, { idle: true }),
    );
    expect(claimed?.job.id).toBeDefined();
    expect(claimed?.job.id).not.toBe(oldest?.id);
  });
});
