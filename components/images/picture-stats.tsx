import { formatBytes } from "#components/format.ts";
import { Card } from "#components/ui/card.tsx";
import type { ImageDay } from "#lib/db/queries/images/image-days.ts";

interface PictureStatsProps {
  readonly days: readonly ImageDay[];
  /** The number of days that the numbers are for. */
  readonly shownDays: number;
  readonly label?: string;
}

type Count = "hits" | "misses" | "errors" | "sourceBytes" | "sentBytes";

/** Number of pictures, hit rate of the cache and bytes. */
export function PictureStats({ days, shownDays, label = "Statistics" }: PictureStatsProps) {
  const sum = (name: Count) => days.reduce((total, day) => total + day[name], 0);
  const hits = sum("hits");
  const pictures = hits + sum("misses");
  const stats = [
    {
      label: `Pictures, ${shownDays} ${shownDays === 1 ? "day" : "days"}`,
      value: pictures.toLocaleString("en"),
    },
    {
      label: "From the cache",
      value: pictures === 0 ? "–" : `${Math.floor((hits / pictures) * 1000) / 10}%`,
    },
    { label: "Sources, count as usage", value: formatBytes(sum("sourceBytes")) },
    { label: "Sent", value: formatBytes(sum("sentBytes")) },
    { label: "Errors", value: sum("errors").toLocaleString("en") },
  ];
  return (
    <Card aria-label={label}>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl bg-border md:grid-cols-5">
        {stats.map(({ label, value }) => (
          <div
            key={label}
            className="flex flex-col-reverse justify-end gap-1 bg-card p-5 last:col-span-2 md:last:col-span-1"
          >
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
