import { sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { DurationCounts } from "./duration-buckets.ts";

/** The jobs of a group that have not been counted in it. */
interface NewJobs extends GroupKey {
  jobs: number;
  usedBytes: number;
  readonly durations: DurationCounts;
}

/** The number is arbitrary; no other lock of the service has it. */
const lockGroups = sql.raw(`select pg_advisory_xact_lock(${0x6d6d7567})`);

/** Counts the rows of `usage_events` in their groups, and deletes them. `tx` is a transaction. */
export async function foldUsageEvents(tx: Queryable): Promise<void> {
  // One at a time: the durations of a group are read, added to, and written.
  await tx.execute(lockGroups);
  const moved = await tx.execute<{
    accountId: string;
    dimension: string;
    day: string;
    value: string;
    outcome: string;
    bucket: number | null;
    jobs: number;
    usedBytes: number;
  }>(sql`
    with moved as (delete from usage_events returning *)
    select account_id as "accountId", dimension, day::text as day, value, outcome, bucket,
      sum(jobs)::int as jobs, sum(used_bytes)::float8 as "usedBytes"
    from moved, lateral (values ('key', key), ('operation', operation)) as groups (dimension, value)
    group by 1, 2, 3, 4, 5, 6`);
  if (moved.length === 0) return;
  const groups = new Map<string, NewJobs>();
  for (const { bucket, jobs, usedBytes, ...group } of moved) {
    const key = keyOf(group);
    const known = groups.get(key) ?? {
      ...group,
      jobs: 0,
      usedBytes: 0,
      durations: new DurationCounts(),
    };
    groups.set(key, known);
    known.jobs += jobs;
    known.usedBytes += usedBytes;
    if (bucket !== null) known.durations.add(bucket, String(jobs));
  }
  const keys = JSON.stringify([...groups.values()].map(({ durations: _, ...group }) => group));
  const counted = await tx.execute<{
    accountId: string;
    dimension: string;
    day: string;
    value: string;
    outcome: string;
    first: number;
    numbers: string;
  }>(sql`
    select g.account_id as "accountId", g.dimension, g.day::text as day, g.value, g.outcome,
      array_lower(g.durations, 1) as first, array_to_string(g.durations, ',', '') as numbers
    from usage_groups as g
    join json_to_recordset(${keys}::json)
      as new ("accountId" text, dimension text, day date, value text, outcome text)
      on g.account_id = new."accountId" and g.dimension = new.dimension and g.day = new.day
        and g.value = new.value and g.outcome = new.outcome
    where array_lower(g.durations, 1) is not null`);
  for (const { first, numbers, ...group } of counted) {
    groups.get(keyOf(group))?.durations.add(first, numbers);
  }
  const rows = JSON.stringify(
    [...groups.values()].map(({ durations, ...group }) => ({
      ...group,
      durations: durations.toArrayText(),
    })),
  );
  await tx.execute(sql`
    insert into usage_groups (account_id, dimension, day, value, outcome, jobs, used_bytes, durations)
    select "accountId", dimension, day, value, outcome, jobs, "usedBytes", durations::int[]
    from json_to_recordset(${rows}::json) as new ("accountId" text, dimension text, day date, value text,
      outcome text, jobs int, "usedBytes" bigint, durations text)
    on conflict (account_id, dimension, day, value, outcome) do update
    set jobs = usage_groups.jobs + excluded.jobs,
      used_bytes = usage_groups.used_bytes + excluded.used_bytes, durations = excluded.durations`);
}

interface GroupKey {
  readonly accountId: string;
  readonly dimension: string;
  readonly day: string;
  readonly value: string;
  readonly outcome: string;
}

function keyOf({ accountId, dimension, day, value, outcome }: GroupKey): string {
  return JSON.stringify([accountId, dimension, day, value, outcome]);
}
