import { formatDuration } from "#components/format.ts";
import { Card } from "#components/ui/card.tsx";
import type { DailyUsage } from "#lib/db/queries/usage/usage-days.ts";
import { successRate } from "#lib/quotas/daily-usage.ts";

interface StatsCardProps {
  /** Jobs accepted this month. */
  readonly jobsThisMonth: number;
  readonly days: readonly DailyUsage[];
  /** How long the newest completed jobs took in the median, in milliseconds; undefined if there are none. */
  readonly medianMs: number | undefined;
}

/** Job count, jobs in progress, success rate and median duration. */
export function StatsCard({ jobsThisMonth, days, medianMs }: StatsCardProps) {
  const rate = successRate(days);
  const open = days.reduce(
    (total, day) => total + day.jobs - day.completed - day.failed - day.cancelled,
    0,
  );
  const stats = [
    { label: "Jobs this month", value: jobsThisMonth.toLocaleString("en") },
    { label: "In progress", value: open.toLocaleString("en") },
    {
      label: `Success rate, ${days.length} days`,
      value: rate === undefined ? "–" : formatShare(rate),
    },
    {
      label: "Median duration",
      value: medianMs === undefined ? "–" : formatDuration(medianMs),
    },
  ];
  return (
    <Card aria-label="Statistics">
      <dl className="grid h-full grid-cols-2 gap-px overflow-hidden rounded-xl bg-border">
        {stats.map(({ label, value }) => (
          <div key={label} className="flex flex-col-reverse justify-end gap-1 bg-card p-5">
            <dt className="text-sm text-muted-foreground">{label}</dt>
            <dd className="text-2xl font-semibold tracking-tight wrap-anywhere tabular-nums">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** Rounds down, so that a failure never shows as "100%". */
function formatShare(share: number): string {
  return `${Math.floor(share * 1000) / 10}%`;
}
