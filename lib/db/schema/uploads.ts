import { index, pgTable, text } from "drizzle-orm/pg-core";
import type { MediaTypeId } from "#lib/media/types.ts";
import { accounts } from "./accounts.ts";
import { byteCount, timestampMs } from "./columns.ts";

/** A file that is sent before its job: created by `POST /v1/uploads`, then sent by `PUT` to a signed URL. */
export const uploads = pgTable(
  "uploads",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    filename: text().notNull(),
    /** The declared size. The file must have exactly this size. */
    bytes: byteCount().notNull(),
    /** Detected from the content after the file is received. */
    type: text().$type<MediaTypeId>(),
    sha256: text(),
    createdAt: timestampMs().notNull().defaultNow(),
    receivedAt: timestampMs(),
    expiresAt: timestampMs().notNull(),
  },
  (table) => [index().on(table.expiresAt)],
);
