import { formatBytes } from "#components/format.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { Meter } from "#components/ui/meter.tsx";
import { secondsUntilPeriodEnds } from "#lib/quotas/period.ts";

interface UsageCardProps {
  readonly plan: string;
  readonly usedBytes: number;
  /** Held by jobs that have not ended. */
  readonly reservedBytes: number;
  /** The plan's bytes a month; null is unlimited. */
  readonly includedBytes: number | null;
  /** Used at the end of the month, should it go on as it does. */
  readonly projectedBytes: number;
  readonly now: Date;
}

/** The month against the plan. */
export function UsageCard(props: UsageCardProps) {
  const { plan, usedBytes, reservedBytes, includedBytes, projectedBytes, now } = props;
  const daysLeft = Math.ceil(secondsUntilPeriodEnds(now) / 86_400);
  const month = now.toLocaleDateString("en-GB", {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return (
    <Card>
      <CardHeader>
        <div>
          <CardTitle>Usage in {month}</CardTitle>
          <CardDescription>
            {daysLeft === 1 ? "The last day of the month" : `${daysLeft} days left`}, UTC
          </CardDescription>
        </div>
        <Badge variant="outline">
          <span className="first-letter:uppercase">{plan} plan</span>
        </Badge>
      </CardHeader>
      <CardContent className="grid gap-3">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="text-3xl font-semibold tracking-tight tabular-nums">
            {formatBytes(usedBytes)}
          </span>
          <span className="text-sm text-muted-foreground">
            {includedBytes === null
              ? "used, of unlimited"
              : `of ${formatBytes(includedBytes)} used`}
          </span>
        </p>
        {includedBytes !== null && (
          <Meter
            label="Usage of this month"
            percent={(usedBytes / includedBytes) * 100}
            projected={(projectedBytes / includedBytes) * 100}
            text={`${formatBytes(usedBytes)} of ${formatBytes(includedBytes)}`}
            tone={toneOf(usedBytes, projectedBytes, includedBytes)}
          />
        )}
        <p className="text-sm text-muted-foreground">
          {describeProjection(usedBytes, projectedBytes, includedBytes)}
          {reservedBytes > 0 && ` ${formatBytes(reservedBytes)} are held by jobs that run now.`}
        </p>
      </CardContent>
    </Card>
  );
}

function toneOf(used: number, projected: number, included: number) {
  if (used >= included) return "destructive";
  return projected > included ? "warning" : "brand";
}

function describeProjection(used: number, projected: number, included: number | null): string {
  if (included !== null && used >= included) {
    return "The plan is used up: new jobs are refused until the month ends.";
  }
  if (used === 0) return "Counted are the bytes of every input of jobs that were completed.";
  const pace = `At the pace of the last days: ${formatBytes(projected)} by the end of the month`;
  return included !== null && projected > included
    ? `${pace}, more than the plan has.`
    : `${pace}.`;
}
