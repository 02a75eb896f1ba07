import type { Metadata } from "next";
import { EngineCard } from "#components/status/engine-card.tsx";
import { IncidentList } from "#components/status/incident-list.tsx";
import { QueueCard } from "#components/status/queue-card.tsx";
import { RunnersMissing } from "#components/status/runners-missing.tsx";
import { StateBadge } from "#components/status/state-badge.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { type QueueStatus, readQueueStatus } from "#lib/jobs/status/queue-status.ts";
import { readCachedStatus, type StatusReport } from "#lib/jobs/status/report.ts";
import { type RunnersStatus, readRunnersStatus } from "#lib/jobs/status/runners-status.ts";
import { log } from "#lib/log.ts";

export const metadata: Metadata = {
  title: "Status",
  description: "Whether each engine works, from a real conversion every few minutes.",
  alternates: {
    canonical: "/status",
    types: { "application/atom+xml": "/status/feed.xml" },
  },
};

export default async function StatusPage() {
  const [report, runners, queue] = (await readStatusOrNone()) ?? [];
  const now = new Date().toISOString();
  return (
    <main id="content" className="mx-auto w-full max-w-6xl px-4 py-10 sm:px-6">
      <h1 className="text-3xl font-semibold tracking-tight">Status</h1>
      {report && runners && queue ? (
        <>
          {runners.state === "missing" && (
            <RunnersMissing since={runners.missing_since} now={now} className="mt-4" />
          )}
          <div className="mt-3 flex flex-wrap items-center gap-3 text-muted-foreground">
            <StateBadge state={runners.state === "missing" ? "failing" : report.state} />
            <p>{describeChecks(report)}</p>
            {report.last_check_at && (
              <p>
                Last check: <TimeAgo time={report.last_check_at} now={now} />.
              </p>
            )}
          </div>
          <div className="mt-8 grid grid-cols-1 gap-4">
            <QueueCard queue={queue} />
            {report.engines.map((status) => (
              <EngineCard key={status.engine} status={status} now={now} />
            ))}
          </div>
          <section aria-labelledby="incidents" className="mt-10">
            <h2 id="incidents" className="mb-4 text-xl font-semibold tracking-tight">
              Incidents
            </h2>
            <IncidentList incidents={report.incidents} since={report.checked_since} />
          </section>
          <p className="mt-8 text-sm text-muted-foreground">
            The same as JSON:{" "}
            <a href="/status.json" className="underline underline-offset-4">
              /status.json
            </a>
            . Incidents as an{" "}
            <a href="/status/feed.xml" className="underline underline-offset-4">
              Atom feed
            </a>
            . Days and hours are in UTC.
          </p>
        </>
      ) : (
        <p className="mt-4" role="alert">
          The status is unavailable, because the database of this service does not respond. Try
          again in a minute.
        </p>
      )}
    </main>
  );
}

async function readStatusOrNone(): Promise<[StatusReport, RunnersStatus, QueueStatus] | undefined> {
  try {
    return await Promise.all([readCachedStatus(), readRunnersStatus(), readQueueStatus()]);
  } catch (err) {
    log.warn({ err }, "status was not read");
    return undefined;
  }
}

function describeChecks({ checks, interval_seconds }: StatusReport): string {
  if (checks === "off") return "This installation makes no status checks.";
  return `Every ${interval_seconds / 60} minutes, each engine makes a real conversion.`;
}
