import { index, integer, jsonb, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { moment } from "./columns.ts";
import { jobs } from "./jobs.ts";

export const deliveryStatuses = ["pending", "delivered", "failed"] as const;

/** One attempt to hand a notification over. */
export interface DeliveryAttempt {
  readonly at: string;
  /** Null where no answer came. */
  readonly status: number | null;
  readonly durationMs: number;
  /** The first KiB of the answer, or why there was none. */
  readonly response: string;
}

/** A notification that is owed; its id is the `webhook-id`, the same at every attempt. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    jobId: text().references(() => jobs.id, { onDelete: "cascade" }),
    url: text().notNull(),
    event: text({ enum: ["job.completed", "job.failed", "job.cancelled", "test"] }).notNull(),
    status: text({ enum: deliveryStatuses }).notNull().default("pending"),
    attempts: jsonb().$type<DeliveryAttempt[]>().notNull().default([]),
    /** Attempts made of the present round; sending again starts a round. */
    attemptsInRound: smallint().notNull().default(0),
    lastStatus: integer(),
    /** When the next attempt is due; while one is made, when it counts as lost. Null: there is none. */
    nextAttemptAt: moment().defaultNow(),
    /** When the queue was last told of the attempt that is due; null where it could not be. */
    handedOverAt: moment().defaultNow(),
    createdAt: moment().notNull().defaultNow(),
    completedAt: moment(),
  },
  (table) => [
    index().on(table.accountId, table.createdAt, table.id),
    index().on(table.accountId, table.status, table.createdAt, table.id),
    index().on(table.jobId),
    index().on(table.status, table.nextAttemptAt),
  ],
);

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
