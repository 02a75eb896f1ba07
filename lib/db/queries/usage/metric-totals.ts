import { sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type MetricTotal, metricTotals } from "../../schema/metric-totals.ts";

/** Adds the counts of a process to the totals. Rows are sorted, so that two processes cannot deadlock. */
export async function addToTotals(db: Queryable, counted: readonly MetricTotal[]): Promise<void> {
  const rows = counted.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  await db
    .insert(metricTotals)
    .values(rows)
    .onConflictDoUpdate({
      target: [metricTotals.name, metricTotals.labels],
      set: { value: sql`${metricTotals.value} + excluded.value` },
    });
}

export function listTotals(db: Queryable): Promise<MetricTotal[]> {
  return db.select().from(metricTotals);
}

function keyOf({ name, labels }: MetricTotal): string {
  return `${name} ${labels}`;
}
