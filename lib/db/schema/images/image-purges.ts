import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { accounts } from "../accounts.ts";
import { timestampMs } from "../columns.ts";

/** Sources whose cached pictures are not used any more, if they were made before. */
export const imagePurges = pgTable(
  "image_purges",
  {
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** Whether `value` is a whole source or its beginning. */
    kind: text({ enum: ["source", "prefix"] }).notNull(),
    value: text().notNull(),
    purgedAt: timestampMs().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind, table.value] })],
);
