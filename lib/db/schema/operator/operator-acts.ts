import { index, json, pgTable, text } from "drizzle-orm/pg-core";
import { timestampMs } from "../columns.ts";
import { operatorActions } from "./act-names.ts";

/** What an act changed, by field. Never a secret. */
export type ActValues = Readonly<Record<string, string | number | boolean | null>>;

/**
 * What operators did, in the console or with the admin command. No foreign keys: the record stays after
 * the account is deleted.
 */
export const operatorActs = pgTable(
  "operator_acts",
  {
    /** Ids sort by time. */
    id: text().primaryKey(),
    /** The operator's email address, or `command line (root)` with the name of the system's user. */
    actor: text().notNull(),
    /** The operator's account; null for the admin command. */
    actorId: text(),
    action: text({ enum: operatorActions }).notNull(),
    /** The account that it was done to, and its email address at that time. */
    accountId: text(),
    accountEmail: text(),
    /** The job or the key that it was done to. */
    subjectId: text(),
    before: json().$type<ActValues>(),
    after: json().$type<ActValues>(),
    /** The operator's IP address; null if it is not known. */
    address: text(),
    createdAt: timestampMs().notNull().defaultNow(),
  },
  (table) => [index().on(table.createdAt)],
);

export type OperatorAct = typeof operatorActs.$inferSelect;
