import type { DailyUsage } from "#lib/db/queries/usage/usage-days.ts";
import type { JobSummary } from "#lib/jobs/view/summary.ts";
import type { ChartDay, ChartSeries } from "./chart-parts.tsx";

interface Drawing {
  readonly series: readonly ChartSeries[];
  readonly days: readonly ChartDay[];
}

/** Jobs by the day on which they were accepted, and what became of them. */
export function jobsSeries(days: readonly DailyUsage[]): Drawing {
  return {
    series: [
      { name: "Completed", color: "success" },
      { name: "Failed", color: "destructive" },
      { name: "Cancelled", color: "muted" },
      { name: "In progress", color: "chart" },
    ],
    days: days.map(({ day, jobs, completed, failed, cancelled }) => ({
      day,
      values: [completed, failed, cancelled, Math.max(0, jobs - completed - failed - cancelled)],
    })),
  };
}

/** Bytes of input of the completed jobs, by the day on which these were accepted. */
export function bytesSeries(days: readonly DailyUsage[]): Drawing {
  return {
    series: [{ name: "Input of completed jobs", color: "chart" }],
    days: days.map(({ day, usedBytes }) => ({ day, values: [usedBytes] })),
  };
}

/** Of the completed ones among `jobs`, from acceptance to end, in milliseconds; undefined: there are none. */
export function medianDuration(jobs: readonly JobSummary[]): number | undefined {
  const times = jobs
    .filter(({ status, completedAt }) => status === "completed" && completedAt !== null)
    .map(
      ({ createdAt, completedAt }) => Date.parse(completedAt ?? createdAt) - Date.parse(createdAt),
    )
    .sort((one, other) => one - other);
  return times[Math.floor(times.length / 2)];
}
