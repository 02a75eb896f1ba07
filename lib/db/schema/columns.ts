import { bigint, timestamp } from "drizzle-orm/pg-core";

/** A timestamp with time zone, in milliseconds. */
export const timestampMs = () => timestamp({ withTimezone: true, precision: 3 });

/** A number of bytes. A JavaScript number is exact up to 9 PB. */
export const byteCount = () => bigint({ mode: "number" });
