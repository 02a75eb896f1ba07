import { jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";

/** What a runner tells of itself with every heartbeat. */
export interface RunnerReport {
  /** How engines are isolated, and by what they are limited; absent for runners without engines. */
  readonly sandbox?: string;
  readonly limits?: Readonly<Record<"memory" | "processes", string>>;
  /** Version by engine; null where the engine is missing. */
  readonly engines: Readonly<Record<string, string | null>>;
}

/** The runners that are alive: a row is trusted while its heartbeat is young. */
export const runners = pgTable("runners", {
  id: text().primaryKey(),
  kind: text({ enum: ["media", "webhooks"] }).notNull(),
  report: jsonb().$type<RunnerReport>().notNull(),
  startedAt: moment().notNull().defaultNow(),
  seenAt: moment().notNull().defaultNow(),
});
