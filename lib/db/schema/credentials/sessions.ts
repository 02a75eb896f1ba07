import { index, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { timestampMs } from "../columns.ts";

/** Ways to sign in. */
export const signInMethods = ["password", "github", "google"] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** Signed-in browsers. Every request reads the row: without it, the cookie is not valid. */
export const sessions = pgTable(
  "sessions",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    method: text({ enum: signInMethods }).notNull(),
    /** The IP address at sign-in, so that users recognize the session. */
    address: text(),
    userAgent: text(),
    createdAt: timestampMs().notNull().defaultNow(),
    /** When the session was last used; written at most once per minute. */
    lastSeenAt: timestampMs().notNull().defaultNow(),
    expiresAt: timestampMs().notNull(),
    /** When the user last showed who they are: at sign-in, or again before a sensitive action. */
    authenticatedAt: timestampMs().notNull().defaultNow(),
    /** Until when an operator may do one act on another account. */
    actAllowedUntil: timestampMs(),
    /** SHA-256 of the code in the last email for this session, hex. */
    codeHash: text(),
    codeExpiresAt: timestampMs(),
  },
  (table) => [index().on(table.accountId, table.lastSeenAt), index().on(table.expiresAt)],
);
