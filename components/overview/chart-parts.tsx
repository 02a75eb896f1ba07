import { cn } from "#components/class-names.ts";
import { formatDay } from "./chart-scale.ts";

/** A series of the chart: one color of the bars. */
export interface ChartSeries {
  readonly name: string;
  readonly color: "success" | "destructive" | "muted" | "brand" | "chart";
}

export interface ChartDay {
  /** The date, such as `2026-11-21`. */
  readonly day: string;
  /** One number per series, from the bottom up. */
  readonly values: readonly number[];
}

/** The background class of each series color. */
export const chartColors = {
  success: "bg-success forced-color-adjust-none",
  destructive: "bg-destructive forced-color-adjust-none",
  muted: "bg-input forced-color-adjust-none",
  brand: "bg-brand forced-color-adjust-none",
  chart: "bg-chart-2 forced-color-adjust-none",
} as const;

/** The chart's color legend. */
export function Legend({ series }: { series: readonly ChartSeries[] }) {
  return (
    <ul aria-hidden="true" className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted-foreground">
      {series.map(({ name, color }) => (
        <li key={name} className="flex items-center gap-1.5">
          <span className={cn("size-2", chartColors[color])} />
          {name}
        </li>
      ))}
    </ul>
  );
}

/** The day axis: one tick per day; every fifth tick, or fewer of many days, is long and has a date. */
export function DayRuler({ days }: { days: readonly ChartDay[] }) {
  const step = Math.max(5, Math.ceil(days.length / 6));
  return (
    <div aria-hidden="true" className="flex border-t border-input text-input">
      {days.map(({ day }, index) => {
        const long = (days.length - 1 - index) % step === 0;
        if (!long && days.length > 100) return <div key={day} className="flex-1" />;
        return (
          <div key={day} className="relative h-7 flex-1">
            <span className={cn("absolute left-1/2 w-px bg-current", long ? "h-2.5" : "h-1.5")} />
            {long && (
              <span className="absolute top-3 left-1/2 -translate-x-1/2 text-[0.6875rem] whitespace-nowrap text-muted-foreground">
                {formatDay(day)}
              </span>
            )}
          </div>
        );
      })}
    </div>
  );
}

interface ChartTableProps {
  readonly label: string;
  readonly series: readonly ChartSeries[];
  readonly days: readonly ChartDay[];
  readonly format: (value: number) => string;
}

/** The chart's numbers as a table for screen readers. */
export function ChartTable({ label, series, days, format }: ChartTableProps) {
  return (
    // Wrapped, because a table ignores the height that `sr-only` sets.
    <div className="sr-only">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, values }) => (
            <tr key={day}>
              <th scope="row">{formatDay(day)}</th>
              {series.map(({ name }, at) => (
                <td key={name}>{format(values[at] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
