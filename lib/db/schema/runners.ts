import { jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { timestampMs } from "./columns.ts";

/** What a runner reports about itself with every heartbeat. */
export interface RunnerReport {
  /** How engines are isolated and what limits them. Absent for runners without engines. */
  readonly sandbox?: string;
  readonly limits?: Readonly<Record<"memory" | "processes", string>>;
  /** Version by engine; null if the engine is missing. */
  readonly engines: Readonly<Record<string, string | null>>;
}

/** Live runners. A row counts only while its heartbeat is recent. */
export const runners = pgTable("runners", {
  id: text().primaryKey(),
  kind: text({ enum: ["media", "webhooks"] }).notNull(),
  report: jsonb().$type<RunnerReport>().notNull(),
  startedAt: timestampMs().notNull().defaultNow(),
  lastHeartbeatAt: timestampMs().notNull().defaultNow(),
});
