import { index, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { moment } from "./columns.ts";

/** How somebody can sign in. */
export const signInMethods = ["password", "github", "google"] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** A browser that is signed in. The row is looked up at every request; without it the cookie is worth nothing. */
export const sessions = pgTable(
  "sessions",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    method: text({ enum: signInMethods }).notNull(),
    /** Where it was signed in from, so that a person recognises it. */
    address: text(),
    userAgent: text(),
    createdAt: moment().notNull().defaultNow(),
    /** Written at most once a minute. */
    lastSeenAt: moment().notNull().defaultNow(),
    expiresAt: moment().notNull(),
  },
  (table) => [index().on(table.accountId, table.lastSeenAt), index().on(table.expiresAt)],
);
