import { formatTime } from "#components/format.ts";
import { Badge } from "#components/ui/badge.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import type { Incident } from "#lib/jobs/status/report.ts";
import { engineNames } from "./names.ts";

interface IncidentListProps {
  readonly incidents: readonly Incident[];
  /** The first day with a check, RFC 3339; null without a check. */
  readonly since: string | null;
}

/** Failing checks that follow each other, newest first. */
export function IncidentList({ incidents, since }: IncidentListProps) {
  if (incidents.length === 0) {
    return (
      <p className="text-sm text-muted-foreground">
        {since === null
          ? "There have been no checks."
          : `No check has failed since ${formatTime(new Date(since)).replace(/,.*/, "")}.`}
      </p>
    );
  }
  return (
    <ul className="divide-y border-y text-sm">
      {incidents.map((incident) => (
        <li key={`${incident.engine} ${incident.started_at}`} className="grid gap-1 py-3">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            {engineNames[incident.engine].name}
            <Badge variant={incident.is_ongoing ? "destructive" : "default"}>
              {incident.is_ongoing ? "Ongoing" : "Ended"}
            </Badge>
          </p>
          <p className="text-muted-foreground">
            {incident.failed_checks === 1
              ? "1 failed check, "
              : `${incident.failed_checks} failed checks from `}
            <LocalTime time={incident.started_at} />
            {incident.failed_checks > 1 && (
              <>
                {" to "}
                <LocalTime time={incident.last_failed_at} />
              </>
            )}
            {incident.error_code && (
              <>
                , error <code className="font-mono text-xs">{incident.error_code}</code>
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}
