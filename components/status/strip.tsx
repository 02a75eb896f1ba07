import { cn } from "#components/class-names.ts";
import type { CheckPeriod } from "#lib/jobs/status/report.ts";

interface StripProps {
  /** The period that the strip covers, such as `Last 90 days`. */
  readonly label: string;
  readonly periods: readonly CheckPeriod[];
  readonly unit: "hour" | "day";
  /** The share of successful checks, from 0 to 1; null without a check. */
  readonly availability: number | null;
}

/** The checks of each hour or day as a bar. Height and border also show the state, for those who see no colors. */
export function Strip({ label, periods, unit, availability }: StripProps) {
  const share = availability === null ? "No checks" : `${formatShare(availability)} available`;
  return (
    <div className="min-w-0">
      <p className="mb-1.5 flex justify-between gap-3 text-xs text-muted-foreground">
        <span>{label}</span>
        <span className="tabular-nums">{share}</span>
      </p>
      <div
        role="img"
        aria-label={summarize(label, periods, unit, share)}
        className="flex h-8 items-end gap-px sm:gap-0.5"
      >
        {periods.map((period) => (
          <span
            key={period.start}
            title={titleOf(period, unit)}
            className={cn("min-w-0 flex-1 rounded-[2px]", looks[kindOf(period)])}
          />
        ))}
      </div>
    </div>
  );
}

type Kind = "none" | "good" | "slow" | "failing";

const looks: Readonly<Record<Kind, string>> = {
  none: "h-1.5 bg-border forced-colors:border forced-colors:border-[GrayText]",
  good: "h-8 bg-success/70 forced-colors:bg-[CanvasText] forced-color-adjust-none",
  slow: "h-6 bg-warning forced-colors:bg-[Highlight] forced-color-adjust-none",
  failing: "h-4 bg-destructive forced-colors:bg-[Mark] forced-color-adjust-none",
};

function kindOf({ checks, slow, failing }: CheckPeriod): Kind {
  if (checks === 0) return "none";
  if (failing > 0) return "failing";
  return slow > 0 ? "slow" : "good";
}

function titleOf(period: CheckPeriod, unit: StripProps["unit"]): string {
  const { start, checks, slow, failing } = period;
  const time = unit === "day" ? start.slice(0, 10) : `${start.slice(0, 16).replace("T", " ")} UTC`;
  if (checks === 0) return `${time}: no checks`;
  return `${time}: ${checks} checks, ${slow} slow, ${failing} failed`;
}

function summarize(
  label: string,
  periods: readonly CheckPeriod[],
  unit: StripProps["unit"],
  share: string,
): string {
  const count = (kind: Kind) => periods.filter((period) => kindOf(period) === kind).length;
  const named = (kind: Kind, what: string) => `${count(kind)} ${unit}s ${what}`;
  const kinds = [
    named("failing", "with failed checks"),
    named("slow", "with slow checks"),
    named("none", "without checks"),
  ];
  return `${label}: ${share}; ${kinds.join(", ")}.`;
}

/** Formats a share as `100%` or `99.95%`; it is never rounded up to 100. */
function formatShare(share: number): string {
  if (share === 1) return "100%";
  return `${(Math.floor(share * 10_000) / 100).toFixed(2)}%`;
}
