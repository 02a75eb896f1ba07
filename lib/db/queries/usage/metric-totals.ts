import { sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type MetricTotal, metricTotals } from "../../schema/metric-totals.ts";
import { defineStatement } from "../../statement.ts";

/** A count without an exemplar leaves the stored one. */
export type CountedMetric = typeof metricTotals.$inferInsert;

/** One parameter for all rows: each number of parameters would be a statement of its own to PostgreSQL. */
const insertCounts = defineStatement<"rows">(
  (value) => sql`
    insert into metric_totals (name, labels, value, exemplar)
    select given.* from json_to_recordset(${value("rows")}::json)
      as given(name text, labels text, value float8, exemplar json)
    order by given.name, given.labels
    on conflict (name, labels) do update set
      value = metric_totals.value + excluded.value,
      exemplar = coalesce(excluded.exemplar, metric_totals.exemplar)`,
);

/** Adds the counts of a process to the totals. Rows are sorted, so that two processes cannot deadlock. */
export async function addToTotals(db: Queryable, counted: readonly CountedMetric[]): Promise<void> {
  await db.execute(insertCounts({ rows: JSON.stringify(counted) }));
}

export function listTotals(db: Queryable): Promise<MetricTotal[]> {
  return db.select().from(metricTotals);
}
