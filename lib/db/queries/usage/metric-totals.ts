import { sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type MetricTotal, metricTotals } from "../../schema/metric-totals.ts";

/** A count without an exemplar leaves the stored one. */
export type CountedMetric = typeof metricTotals.$inferInsert;

/** Adds the counts of a process to the totals. Rows are sorted, so that two processes cannot deadlock. */
export async function addToTotals(db: Queryable, counted: readonly CountedMetric[]): Promise<void> {
  const rows = counted.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  await db
    .insert(metricTotals)
    .values(rows)
    .onConflictDoUpdate({
      target: [metricTotals.name, metricTotals.labels],
      set: {
        value: sql`${metricTotals.value} + excluded.value`,
        exemplar: sql`coalesce(excluded.exemplar, ${metricTotals.exemplar})`,
      },
    });
}

export function listTotals(db: Queryable): Promise<MetricTotal[]> {
  return db.select().from(metricTotals);
}

function keyOf({ name, labels }: CountedMetric): string {
  return `${name} ${labels}`;
}
