import { sql } from "drizzle-orm";
import { boolean, index, integer, json, jsonb, pgTable, smallint, text } from "drizzle-orm/pg-core";
import type { TraceContext } from "#lib/tracing/trace-context.ts";
import { accounts } from "./accounts.ts";
import { timestampMs } from "./columns.ts";
import { deliveryTypes } from "./event-types.ts";
import { jobs } from "./jobs.ts";

export const deliveryStatuses = ["pending", "delivered", "failed"] as const;

/** One attempt to deliver a notification. */
export interface DeliveryAttempt {
  readonly at: string;
  /** The status of the response; null if there was no response. */
  readonly status: number | null;
  readonly durationMs: number;
  /** The first KiB of the response body, or why there was no response. */
  readonly response: string;
}

/** A notification to deliver. Its id is the `webhook-id` of every attempt. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    jobId: text().references(() => jobs.id, { onDelete: "cascade" }),
    /**
     * The endpoint that it goes to, whose secret signs it; null for `webhook_url` and what is sent by hand. No
     * foreign key: the record of a delivery outlives its endpoint.
     */
    endpointId: text(),
    url: text().notNull(),
    event: text({ enum: deliveryTypes }).notNull(),
    status: text({ enum: deliveryStatuses }).notNull().default("pending"),
    attempts: jsonb().$type<DeliveryAttempt[]>().notNull().default([]),
    /** Attempts since the delivery was created or last resent. The retry schedule counts these. */
    attemptsSinceSend: smallint().notNull().default(0),
    /**
     * Whether someone sent it by hand: a test event, a sample, a replay, or a delivery that was
     * sent again.
     */
    manual: boolean().notNull().default(false),
    lastStatus: integer(),
    /** When the next attempt is due. While an attempt runs: when it counts as lost. Null: no further attempt. */
    nextAttemptAt: timestampMs().defaultNow(),
    /** When the due attempt was last enqueued; null if that failed. */
    enqueuedAt: timestampMs().defaultNow(),
    /** The span that last enqueued its first attempt; null if it was not traced. */
    traceContext: json().$type<TraceContext>(),
    createdAt: timestampMs().notNull().defaultNow(),
    completedAt: timestampMs(),
  },
  (table) => [
    index().on(table.accountId, table.createdAt, table.id),
    index().on(table.accountId, table.status, table.createdAt, table.id),
    index().on(table.jobId),
    index().on(table.status, table.nextAttemptAt),
    index("webhook_deliveries_manual")
      .on(table.accountId)
      .where(sql`manual and status = 'pending'`),
    index("webhook_deliveries_of_endpoint")
      .on(table.endpointId, table.createdAt, table.id)
      .where(sql`endpoint_id is not null`),
    index("webhook_deliveries_without_job").on(table.createdAt).where(sql`job_id is null`),
  ],
);

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
