import { env } from "./env.ts";
import { plans } from "./plans.ts";

const dayMs = 86_400_000;

/** A record is kept at least as long as its files, and a day longer, so that those are deleted first. */
function minimumDays(): number {
  const hours = Object.values(plans).map((plan) => env.RETENTION_HOURS ?? plan.retentionHours);
  return Math.ceil(Math.max(...hours) / 24) + 1;
}

/**
 * The first day, UTC, such as `2026-11-21`, whose jobs are kept at the time `now`: the records of ended
 * jobs that were created before it are deleted. Undefined if records are kept forever.
 */
export function firstKeptDay(now: Date): string | undefined {
  const days = env.JOB_RETENTION_DAYS;
  if (days === "forever") return undefined;
  const firstKept = new Date(now.getTime() - Math.max(days, minimumDays()) * dayMs);
  return firstKept.toISOString().slice(0, 10);
}
