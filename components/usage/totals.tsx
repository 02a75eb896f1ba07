import { formatBytes, formatDuration } from "#components/format.ts";
import { Card } from "#components/ui/card.tsx";
import type { UsageTotal } from "#lib/db/queries/usage/usage-groups.ts";
import { successRate } from "#lib/quotas/daily-usage.ts";
import { formatChange } from "./range.ts";

interface TotalsProps {
  readonly total: UsageTotal;
  readonly previous: UsageTotal;
  /** The days compared with, such as `from 1 Oct to 23 Oct`. */
  readonly previousDays: string;
}

/** The totals of a range, each with its change from the days before. */
export function Totals({ total, previous, previousDays }: TotalsProps) {
  const rate = successRate([total]);
  const previousRate = successRate([previous]);
  const points =
    rate === undefined || previousRate === undefined
      ? undefined
      : Math.round((rate - previousRate) * 1000) / 10;
  const stats = [
    {
      label: "Jobs",
      value: total.jobs.toLocaleString("en"),
      change: formatChange(total.jobs, previous.jobs),
    },
    {
      label: "Input of completed jobs",
      value: formatBytes(total.usedBytes),
      change: formatChange(total.usedBytes, previous.usedBytes),
    },
    {
      label: "Success rate",
      value: rate === undefined ? "–" : `${Math.floor(rate * 1000) / 10}%`,
      change: points === undefined ? undefined : formatPoints(points),
    },
    {
      label: "Failed",
      value: total.failed.toLocaleString("en"),
      change: formatChange(total.failed, previous.failed),
    },
    {
      label: "Median duration",
      value: total.p50Ms === undefined ? "–" : formatDuration(total.p50Ms),
      change: formatChange(total.p50Ms ?? 0, previous.p50Ms ?? 0),
    },
    {
      label: "p95 duration",
      value: total.p95Ms === undefined ? "–" : formatDuration(total.p95Ms),
      change: formatChange(total.p95Ms ?? 0, previous.p95Ms ?? 0),
    },
  ];
  return (
    <Card aria-label="Totals" className="overflow-hidden">
      <dl className="grid grid-cols-2 gap-px bg-border lg:grid-cols-3">
        {stats.map(({ label, value, change }) => (
          <div key={label} className="flex flex-col-reverse justify-end gap-1 bg-card p-5">
            <dt className="text-sm text-muted-foreground">{label}</dt>
            <dd className="flex flex-wrap items-baseline gap-x-2">
              <span className="text-2xl font-semibold tracking-tight wrap-anywhere tabular-nums">
                {value}
              </span>
              {change && (
                <span className="text-sm text-muted-foreground tabular-nums">{change}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <p className="border-t px-5 py-3 text-sm text-muted-foreground">
        Compared with the jobs {previousDays}. Durations are from acceptance to end, of completed
        jobs.
      </p>
    </Card>
  );
}

function formatPoints(points: number): string {
  if (points === 0) return "no change";
  return `${points > 0 ? "+" : "−"}${Math.abs(points)} points`;
}
