import { index, pgTable, text } from "drizzle-orm/pg-core";
import type { MediaTypeId } from "#lib/media/types.ts";
import { accounts } from "./accounts.ts";
import { byteCount, moment } from "./columns.ts";

/** A file that is sent before the job it is for: announced, then put at a signed address. */
export const uploads = pgTable(
  "uploads",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    filename: text().notNull(),
    /** As announced; what arrives must be exactly that. */
    bytes: byteCount().notNull(),
    /** Told by the content once it has arrived. */
    type: text().$type<MediaTypeId>(),
    sha256: text(),
    createdAt: moment().notNull().defaultNow(),
    receivedAt: moment(),
    expiresAt: moment().notNull(),
  },
  (table) => [index().on(table.expiresAt)],
);
