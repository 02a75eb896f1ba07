import { doublePrecision, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

/** What all processes together have counted: a row a number. It outlives the processes. */
export const metricTotals = pgTable(
  "metric_totals",
  {
    /** With a histogram's suffix, such as `_bucket`. */
    name: text().notNull(),
    /** JSON, its keys in order. */
    labels: text().notNull(),
    value: doublePrecision().notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.labels] })],
);

export type MetricTotal = typeof metricTotals.$inferSelect;
