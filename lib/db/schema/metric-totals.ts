import { doublePrecision, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

/** The sums of the metrics of all processes, one number per row. They survive the processes. */
export const metricTotals = pgTable(
  "metric_totals",
  {
    /** With a histogram's suffix, such as `_bucket`. */
    name: text().notNull(),
    /** JSON with sorted keys. */
    labels: text().notNull(),
    value: doublePrecision().notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.labels] })],
);

export type MetricTotal = typeof metricTotals.$inferSelect;
