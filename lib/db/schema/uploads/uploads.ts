import { boolean, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import type { MediaTypeId } from "#lib/media/types.ts";
import { accounts } from "../accounts.ts";
import { byteCount, timestampMs } from "../columns.ts";

/**
 * How the file of an upload is sent: by one `PUT`, by the protocol tus 1.0, or in numbered parts of which several
 * may be sent at a time.
 */
export const uploadMethods = ["put", "tus", "multipart"] as const;
export type UploadMethod = (typeof uploadMethods)[number];

/** A file that is sent before its job: created by `POST /v1/uploads`, then sent to signed URLs. */
export const uploads = pgTable(
  "uploads",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** The browser token that created it; null if there was none. */
    tokenId: text(),
    filename: text().notNull(),
    /** The declared size. The file must have exactly this size. */
    bytes: byteCount().notNull(),
    method: text().$type<UploadMethod>().notNull().default("put"),
    /** The size of each part except the last one; null if the file is sent by one `PUT`. */
    partBytes: byteCount(),
    /**
     * What the object store calls the file: the id of an unfinished one, or the version of one that was sent by `PUT` to
     * the store itself, once it is complete.
     */
    storeId: text(),
    /** How many bytes of the file are stored for good. Only for tus. */
    receivedBytes: byteCount().notNull().default(0),
    /** The numbers of the parts that this service has stored, from 1. Empty if parts go to the object store. */
    receivedParts: integer().array().notNull().default([]),
    /** The request that may write to the file at present; null if there is none. */
    writer: text(),
    /** When the writer last reported that it is alive. */
    writerSeenAt: timestampMs(),
    /** Whether another request waits for the writer to end. */
    writerWanted: boolean().notNull().default(false),
    /** Detected from the content after the file is received. */
    type: text().$type<MediaTypeId>(),
    sha256: text(),
    /**
     * The `PUT` whose file is that of the upload: each one writes under a key of its own. Null if the file was sent
     * another way, or to the object store itself.
     */
    attempt: text(),
    createdAt: timestampMs().notNull().defaultNow(),
    receivedAt: timestampMs(),
    expiresAt: timestampMs().notNull(),
    /** Then the expired file was deleted. The row stays for a day, so that its state can be read. */
    filesDeletedAt: timestampMs(),
  },
  (table) => [
    index().on(table.expiresAt),
    // The unexpired uploads of an account are counted before each new one.
    index("uploads_by_account").on(table.accountId, table.expiresAt).concurrently(),
  ],
);
