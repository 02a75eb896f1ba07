import { sql } from "drizzle-orm";
import { boolean, index, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { timestampMs } from "../columns.ts";

/**
 * Why an endpoint gets nothing: its owner disabled it, it failed for days, or it answered 410 Gone.
 */
export const disabledReasons = ["owner", "failing", "gone"] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** A URL of an account that gets the events that were chosen for it. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    url: text().notNull(),
    description: text().notNull().default(""),
    /** Types of events and patterns of them: `job.completed`, `job.*` or `*`. */
    events: text().array().notNull(),
    enabled: boolean().notNull().default(true),
    /** The signing secrets as a JSON list, encrypted: the present one, then the one before the last rotation. */
    secrets: text().notNull(),
    /** Until when the previous secret also signs. */
    previousSecretExpiresAt: timestampMs(),
    createdAt: timestampMs().notNull().defaultNow(),
    /** The first failed attempt since the last one that succeeded; null if none has failed since. */
    failingSince: timestampMs(),
    disabledAt: timestampMs(),
    disabledReason: text({ enum: disabledReasons }),
    /** The state of the email that says that the service disabled it; `none` if no email is to be sent. */
    mail: text({ enum: ["pending", "sent", "none"] })
      .notNull()
      .default("none"),
    mailAttempts: smallint().notNull().default(0),
    /** Until when no runner sends the email, because one is sending it or the last attempt failed. */
    mailRetryAt: timestampMs().notNull().defaultNow(),
  },
  (table) => [
    index().on(table.accountId, table.createdAt),
    // Every change of a job looks here, and usually finds nothing.
    index("webhook_endpoints_enabled").on(table.accountId).where(sql`enabled`),
    // Nearly always empty.
    index("webhook_endpoints_mail_due").on(table.mailRetryAt).where(sql`mail = 'pending'`),
  ],
);

export type EndpointRow = typeof webhookEndpoints.$inferSelect;
