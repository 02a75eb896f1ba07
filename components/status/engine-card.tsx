import { formatDuration, formatTime } from "#components/format.ts";
import { Card, CardContent, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import type { EngineStatus } from "#lib/jobs/status/report.ts";
import { engineNames, stateLabels } from "./names.ts";
import { StateBadge } from "./state-badge.tsx";
import { Strip } from "./strip.tsx";

interface EngineCardProps {
  readonly status: EngineStatus;
  /** When the server rendered the page, RFC 3339. */
  readonly now: string;
}

/** An engine's state, its last check and its availability. */
export function EngineCard({ status, now }: EngineCardProps) {
  const { engine, state, last_check: last, availability, hours, days } = status;
  const { name, check } = engineNames[engine];
  const id = `engine-${engine}`;
  const since = findSince(days);
  return (
    <Card aria-labelledby={id}>
      <CardHeader>
        <div>
          <CardTitle id={id}>{name}</CardTitle>
          <p className="mt-1 text-sm text-muted-foreground">
            Each check {check}.{" "}
            {last ? (
              <>
                Last: {stateLabels[last.result].toLowerCase()} <TimeAgo time={last.at} now={now} />
                {last.duration_ms !== null && `, in ${formatDuration(last.duration_ms)}`}.
              </>
            ) : (
              "Not checked yet."
            )}
          </p>
        </div>
        <StateBadge state={state} />
      </CardHeader>
      <CardContent className="grid grid-cols-1 gap-5 lg:grid-cols-[1fr_2fr]">
        <Strip
          label="Last 24 hours"
          periods={hours}
          unit="hour"
          availability={availability.last_24_hours}
        />
        <Strip
          label={since === undefined ? "Last 90 days" : `Since ${since}`}
          periods={days}
          unit="day"
          availability={availability.last_90_days}
        />
      </CardContent>
    </Card>
  );
}

/** The first day with a check, if the checks do not cover all days: `23 Nov 2026`. */
function findSince(days: EngineStatus["days"]): string | undefined {
  const first = days.findIndex(({ checks }) => checks > 0);
  const day = first > 0 ? days[first] : undefined;
  return day && formatTime(new Date(day.start)).replace(/,.*/, "");
}
