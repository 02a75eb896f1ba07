import { type SQL, sql } from "drizzle-orm";

/** The channels on which processes notify each other, with their payloads. */
export const channels = {
  /** A job is new or has changed: `<account id> <job id> <status>`. */
  jobChanged: "job_changed",
  /** Runners may find work, those of Inngest in a run that waits for it: `<kind> <delay in seconds>`. */
  workAvailable: "work_available",
  /** A running job was cancelled: its id. */
  jobCancelled: "job_cancelled",
  /** The requests of an account's test receiver have changed: the account's id. */
  receiverChanged: "receiver_changed",
  /** The keys or purges of an account's pictures have changed: the account's id. */
  imagesChanged: "images_changed",
  /** A live preview waits for a runner, is done, or is no longer wanted: its id. */
  liveRequested: "live_requested",
  liveFinished: "live_finished",
  liveCancelled: "live_cancelled",
} as const;

/** Notifies of a change of `job`, a row source with the columns of `jobs`, within a statement. */
export function notifyOfChange(job: SQL): SQL {
  return sql`pg_notify('${sql.raw(channels.jobChanged)}', ${job}.account_id || ' ' || ${job}.id || ' ' || ${job}.status)`;
}
