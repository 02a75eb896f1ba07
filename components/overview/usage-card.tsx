import { formatBytes } from "#components/format.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { Meter } from "#components/ui/meter.tsx";
import { secondsUntilPeriodEnds } from "#lib/quotas/period.ts";

interface UsageCardProps {
  readonly plan: string;
  readonly usedBytes: number;
  /** The bytes that unfinished jobs have reserved. */
  readonly reservedBytes: number;
  /** The plan's bytes per month; null is unlimited. */
  readonly includedBytes: number | null;
  /** Expected usage at the end of the month at the current rate. */
  /** What will be used at the end of the month; undefined if that is not known. */
  readonly projectedBytes: number | undefined;
  readonly now: Date;
}

/** This month's usage compared with the plan. */
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
            {daysLeft === 1 ? "Last day of the month" : `${daysLeft} days left`} (UTC)
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
            {includedBytes === null ? "used, no limit" : `of ${formatBytes(includedBytes)} used`}
          </span>
        </p>
        {includedBytes !== null && (
          <Meter
            label="Usage this month"
            percent={(usedBytes / includedBytes) * 100}
            projected={projectedBytes && (projectedBytes / includedBytes) * 100}
            text={`${formatBytes(usedBytes)} of ${formatBytes(includedBytes)}`}
            tone={toneOf(usedBytes, projectedBytes, includedBytes)}
          />
        )}
        <p className="text-sm text-muted-foreground">
          {describeProjection(usedBytes, projectedBytes, includedBytes)}
          {reservedBytes > 0 && ` ${formatBytes(reservedBytes)} reserved for jobs in progress.`}
        </p>
      </CardContent>
    </Card>
  );
}

function toneOf(used: number, projected: number | undefined, included: number) {
  if (used >= included) return "destructive";
  return (projected ?? 0) > included ? "warning" : "brand";
}

function describeProjection(
  used: number,
  projected: number | undefined,
  included: number | null,
): string {
  if (included !== null && used >= included) {
    return "You have used all data of your plan. New jobs are rejected until the month ends.";
  }
  if (used === 0) return "Usage counts the input bytes of completed jobs, and of images by URL.";
  if (projected === undefined)
    return "The input bytes of completed jobs, and of images by URL, this month.";
  const projection = `At the current rate: ${formatBytes(projected)} by the end of the month`;
  return included !== null && projected > included
    ? `${projection}, more than your plan includes.`
    : `${projection}.`;
}
