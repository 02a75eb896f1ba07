import { pgTable, smallint, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { timestampMs } from "../columns.ts";

/** The test receiver of an account: a URL of the service that stores the webhooks it gets. */
export const webhookReceivers = pgTable("webhook_receivers", {
  accountId: text()
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  /** The last segment of the URL's path. It allows sending only, not reading. */
  token: text().notNull().unique(),
  /** The status of every response. */
  responseStatus: smallint().notNull().default(200),
  /** How long the receiver waits before it responds. */
  delaySeconds: smallint().notNull().default(0),
  createdAt: timestampMs().notNull().defaultNow(),
});

export type ReceiverRow = typeof webhookReceivers.$inferSelect;
