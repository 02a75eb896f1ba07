import { formatDuration } from "#components/format.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";

/** The progress that a job had reported at a time, in milliseconds since 1970. */
export interface ReportedProgress {
  readonly percent: number;
  readonly at: number;
}

/** Before, an estimate would jump. */
const minPercent = 2;
const minElapsedMs = 3000;
/** A shorter rest needs no text. */
const minLeftMs = 2000;

/**
 * The milliseconds until the engine has done the job, if it goes on at the same speed; undefined if that
 * is not known yet. Between two reports of the progress, the time left falls with the clock.
 */
export function estimateLeft(
  { job, phases }: Pick<JobDetails, "job" | "phases">,
  { percent, at }: ReportedProgress,
  now: number,
): number | undefined {
  const working = phases.find(({ name, to }) => name === "working" && to === null);
  if (!working || job.status !== "processing" || percent < minPercent || percent >= 100) return;
  const elapsed = at - Date.parse(working.from);
  if (elapsed < minElapsedMs) return undefined;
  const left = (elapsed * (100 - percent)) / percent - (now - at);
  return left >= minLeftMs ? left : undefined;
}

/** Describes the time left in steps that do not flicker: "about 20 min left". */
export function describeLeft(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `about ${Math.max(5, Math.ceil(seconds / 5) * 5)} s left`;
  const minutes = seconds / 60;
  if (minutes < 60) return `about ${Math.round(minutes)} min left`;
  return `about ${formatDuration(Math.round(minutes / 5) * 5 * 60_000)} left`;
}
