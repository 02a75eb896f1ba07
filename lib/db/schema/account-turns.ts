import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { timestampMs } from "./columns.ts";
import { jobStages } from "./job-states.ts";

/** When an account last had a job claimed. The account with the oldest turn goes first. */
export const accountTurns = pgTable(
  "account_turns",
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** Fetchers and engines take turns independently. */
    stage: text({ enum: jobStages }).notNull(),
    lastTurnAt: timestampMs().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.stage] })],
);
