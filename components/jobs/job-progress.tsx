"use client";

import { isEnded } from "#components/dashboard/merge-jobs.ts";
import { formatTime } from "#components/format.ts";
import { Card, CardContent, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { Meter } from "#components/ui/meter.tsx";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import { Timeline } from "./timeline.tsx";
import { useNow } from "./use-now.ts";

interface JobProgressProps {
  readonly details: JobDetails;
  /** When the details were read first; milliseconds since 1970. */
  readonly now: number;
}

/** How far a job is, and where its time went. */
export function JobProgress({ details, now: readAt }: JobProgressProps) {
  const { job, phases } = details;
  const running = !isEnded(job);
  const now = useNow(readAt, running);
  return (
    <Card>
      <CardHeader>
        <CardTitle>Timeline</CardTitle>
        <p className="text-sm text-muted-foreground">
          <time dateTime={job.created_at}>{formatTime(new Date(job.created_at))}</time>
          {details.attempts > 1 && `, try ${details.attempts}`}
        </p>
      </CardHeader>
      <CardContent className="grid gap-5">
        {running && (
          <Meter
            label="Progress"
            percent={job.progress}
            text={job.status === "pending" ? "waiting" : `${Math.round(job.progress)} %`}
          />
        )}
        <Timeline phases={phases} now={now} status={job.status} />
      </CardContent>
    </Card>
  );
}
