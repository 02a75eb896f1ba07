import { index, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { timestampMs } from "../columns.ts";

export const deviceCodeStatuses = ["pending", "approved", "refused"] as const;

/** Sign-ins of command lines that a user approves in the browser. Each gives one API key. */
export const deviceCodes = pgTable(
  "device_codes",
  {
    /** SHA-256 of the code that the device keeps, hex. */
    hash: text().primaryKey(),
    /** SHA-256 of the code that the user compares, hex. */
    userCodeHash: text().notNull().unique(),
    /** The name of the device, for the user and for the key. */
    name: text().notNull(),
    /** The network address that asked for the code. */
    address: text(),
    status: text({ enum: deviceCodeStatuses }).notNull().default("pending"),
    /** The account of the user who decided. */
    accountId: text().references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: timestampMs().notNull().defaultNow(),
    expiresAt: timestampMs().notNull(),
  },
  (table) => [index().on(table.accountId), index().on(table.expiresAt)],
);
