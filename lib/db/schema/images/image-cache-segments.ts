import { integer, pgTable } from "drizzle-orm/pg-core";
import { byteCount, timestampMs } from "../columns.ts";

/**
 * The segments of the cache of pictures, at most a few. Pictures are added to the newest one, and the
 * oldest one is removed as a whole.
 */
export const imageCacheSegments = pgTable("image_cache_segments", {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  bytes: byteCount().notNull().default(0),
  createdAt: timestampMs().notNull().defaultNow(),
});
