import { formatDuration } from "#components/format.ts";
import { Card } from "#components/ui/card.tsx";
import type { DailyUsage } from "#lib/db/queries/usage/usage-days.ts";
import { successRate } from "#lib/quotas/daily-usage.ts";

interface FiguresProps {
  /** Jobs accepted this month. */
  readonly jobsThisMonth: number;
  readonly days: readonly DailyUsage[];
  /** Of the newest completed jobs, from acceptance to end, in milliseconds; undefined: there are none. */
  readonly medianMs: number | undefined;
}

/** The numbers that say whether all is well. */
export function Figures({ jobsThisMonth, days, medianMs }: FiguresProps) {
  const rate = successRate(days);
  const open = days.reduce(
    (total, day) => total + day.jobs - day.completed - day.failed - day.cancelled,
    0,
  );
  const figures = [
    { label: "Jobs this month", value: jobsThisMonth.toLocaleString("en") },
    { label: "Waiting or running", value: open.toLocaleString("en") },
    { label: `Success, ${days.length} days`, value: rate === undefined ? "–" : formatShare(rate) },
    {
      label: "Median time to finish",
      value: medianMs === undefined ? "–" : formatDuration(medianMs),
    },
  ];
  return (
    <Card aria-label="Figures">
      <dl className="grid h-full grid-cols-2 gap-px overflow-hidden rounded-xl bg-border">
        {figures.map(({ label, value }) => (
          <div key={label} className="flex flex-col-reverse justify-end gap-1 bg-card p-5">
            <dt className="text-sm text-muted-foreground">{label}</dt>
            <dd className="text-2xl font-semibold tracking-tight tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** Never "100 %" while anything failed. */
function formatShare(share: number): string {
  return `${Math.floor(share * 1000) / 10} %`;
}
