import { doublePrecision, json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { MetricExemplar } from "#lib/metrics.ts";

/** The sums of the metrics of all processes, one number per row. They survive the processes. */
export const metricTotals = pgTable(
  "metric_totals",
  {
    /** The name, with a histogram's suffix such as `_bucket`. */
    name: text().notNull(),
    /** The labels as JSON with sorted keys. */
    labels: text().notNull(),
    value: doublePrecision().notNull(),
    /** The latest observation with a trace, of a bucket of a histogram. */
    exemplar: json().$type<MetricExemplar>(),
  },
  (table) => [primaryKey({ columns: [table.name, table.labels] })],
);

export type MetricTotal = typeof metricTotals.$inferSelect;
