import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { byteCount, timestampMs } from "../columns.ts";

/**
 * The segments of the cache of pictures, at most a few. Pictures are added to the newest one, and the
 * oldest one is removed as a whole.
 */
export const imageCacheSegments = pgTable("image_cache_segments", {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  /**
   * Its folder in the storage, at random, because several installations may have one bucket. Empty for one that an
   * earlier version has begun: then its number.
   */
  folder: text().notNull().default(""),
  bytes: byteCount().notNull().default(0),
  createdAt: timestampMs().notNull().defaultNow(),
});
