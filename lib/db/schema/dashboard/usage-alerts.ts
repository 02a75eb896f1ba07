import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { timestampMs } from "../columns.ts";

/** Thresholds of the monthly quota that an account has reached. One row each, so that none is reported twice. */
export const usageAlerts = pgTable(
  "usage_alerts",
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** The calendar month in UTC, such as `2026-11`. */
    period: text().notNull(),
    /** The threshold in percent of the quota. */
    threshold: smallint().notNull(),
    createdAt: timestampMs().notNull().defaultNow(),
    /**
     * The state of the email; `none` if a higher threshold was reached at the same time, or this
     * installation sends no email.
     */
    mail: text({ enum: ["pending", "sent", "none"] }).notNull(),
    mailAttempts: smallint().notNull().default(0),
    /**
     * Until when no runner sends the email, because one is sending it or the last attempt failed.
     */
    mailRetryAt: timestampMs().notNull().defaultNow(),
    /** When the banner of the dashboard was dismissed. */
    dismissedAt: timestampMs(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.period, table.threshold] }),
    // Nearly always empty.
    index("usage_alerts_due").on(table.mailRetryAt).where(sql`mail = 'pending'`),
  ],
);
