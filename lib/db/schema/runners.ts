import { jsonb, pgTable, text } from "drizzle-orm/pg-core";
import type { SandboxLevel } from "#lib/sandbox-level.ts";
import { timestampMs } from "./columns.ts";
import type { JobStage } from "./job-states.ts";

/** What a runner reports about itself with every heartbeat. */
export interface RunnerReport {
  /** How engines are isolated and what limits them. Absent for runners without engines. */
  readonly sandbox?: SandboxLevel;
  /** Whether engines have no sandbox although the operator has not turned it off. */
  readonly sandboxFailed?: boolean;
  /** Whether the runner is root. Absent for runners without engines. */
  readonly isRoot?: boolean;
  readonly limits?: Readonly<Record<"memory" | "processes", string>>;
  /** The hardware that encodes videos; null if there is none. Absent until it is detected. */
  readonly hardware?: string | null;
  /** Version by engine; null if the engine is missing or does not start. Absent until it is checked. */
  readonly engines: Readonly<Record<string, string | null>>;
  /** Whether the runner answers calls of other processes. Absent in runners of an older version. */
  readonly answersCalls?: true;
  /** What the runner has of the queue. Absent under the embedded queue. */
  readonly queue?: RunnerQueueState;
}

/** The kinds of work that a runner has slots for. */
export type SlotKind = JobStage | "delivery";

/** The part of a queue that calls the runner's functions. */
export interface RunnerQueueState {
  /** Whether work can arrive now. A runner that is not connected is alive, but no job can reach it. */
  readonly isConnected: boolean;
  /** Runs that the runner accepts at once. */
  readonly slots: Readonly<Partial<Record<SlotKind, number>>>;
  /** The messages whose runs hold one of its slots, by kind of work. If it dies, these stay in use. */
  readonly openRuns: Readonly<Partial<Record<SlotKind, readonly string[]>>>;
  /** The slots whose run claims again when its job ends. Absent in runners of an older version. */
  readonly claimingRuns?: Readonly<Partial<Record<SlotKind, number>>>;
  /** Those of them that have no job now, and are woken by a notification. */
  readonly waitingRuns?: Readonly<Partial<Record<SlotKind, number>>>;
}

/** Live runners. A row counts only while its heartbeat is recent. */
export const runners = pgTable("runners", {
  id: text().primaryKey(),
  kind: text({ enum: ["media", "webhooks"] }).notNull(),
  report: jsonb().$type<RunnerReport>().notNull(),
  startedAt: timestampMs().notNull().defaultNow(),
  lastHeartbeatAt: timestampMs().notNull().defaultNow(),
});
