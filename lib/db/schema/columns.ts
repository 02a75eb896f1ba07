import { bigint, timestamp } from "drizzle-orm/pg-core";

/** A moment, with time zone, to the millisecond. */
export const moment = () => timestamp({ withTimezone: true, precision: 3 });

/** A count of bytes; a JavaScript number holds it exactly up to 9 PB. */
export const byteCount = () => bigint({ mode: "number" });
