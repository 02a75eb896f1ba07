import type { DailyUsage } from "#lib/db/queries/usage/usage-days.ts";
import { jobDurationMs } from "#lib/jobs/view/duration.ts";
import type { JobSummary } from "#lib/jobs/view/summary.ts";
import type { ChartDay, ChartSeries } from "./chart-parts.tsx";

interface ChartData {
  readonly series: readonly ChartSeries[];
  readonly days: readonly ChartDay[];
}

/** Jobs per day of acceptance, by status. */
export function jobsChartData(days: readonly Omit<DailyUsage, "usedBytes">[]): ChartData {
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

/** The job list of each day. */
export function dayHrefs(days: readonly Pick<DailyUsage, "day">[]): string[] {
  return days.map(({ day }) => {
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
    return `/dashboard/jobs?created_after=${day}&created_before=${next}`;
  });
}

/** Input bytes of completed jobs, per day of acceptance. */
export function bytesChartData(days: readonly DailyUsage[]): ChartData {
  return {
    series: [{ name: "Input of completed jobs", color: "chart" }],
    days: days.map(({ day, usedBytes }) => ({ day, values: [usedBytes] })),
  };
}

/** The median of how long completed jobs took, in milliseconds; undefined if no job is completed. */
export function medianDuration(jobs: readonly JobSummary[]): number | undefined {
  const times = jobs
    .filter(({ status }) => status === "completed")
    .map((job) => jobDurationMs(job, Date.now()))
    .sort((one, other) => one - other);
  return times[Math.floor(times.length / 2)];
}
