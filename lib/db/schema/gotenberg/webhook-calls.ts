import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { timestampMs } from "../columns.ts";

/** Requests of clients of Gotenberg that are answered by a webhook, until that is delivered or given up. */
export const gotenbergWebhookCalls = pgTable(
  "gotenberg_webhook_calls",
  {
    /** Also that of the staged upload with the files of the request. */
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** The request and what remains to be done, as JSON, encrypted with a key derived from `SECRET`. */
    request: text().notNull(),
    state: text().notNull(),
    /** The process that works on it. */
    holder: text().notNull(),
    /** When another process may continue it. */
    heldUntil: timestampMs().notNull(),
    /** How many processes have worked on it. */
    holders: integer().notNull().default(1),
  },
  (table) => [index().on(table.heldUntil)],
);

export type WebhookCallRow = typeof gotenbergWebhookCalls.$inferSelect;
