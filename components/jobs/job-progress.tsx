"use client";

import { formatBytes } from "#components/format.ts";
import { Card, CardContent, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { Meter } from "#components/ui/meter.tsx";
import { isFinal } from "#lib/jobs/state.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import { TimeLeft } from "./timeline/time-left.tsx";
import { Timeline } from "./timeline/timeline.tsx";
import { useTimeLeft } from "./timeline/use-time-left.ts";
import { useNow } from "./use-now.ts";
import { WaitNotice } from "./wait-notice.tsx";

interface JobProgressProps {
  readonly details: JobDetails;
  /** When the server read the details, in milliseconds since 1970. */
  readonly now: number;
  /** Why the job waited; undefined if it did not wait long. */
  readonly waitReason: string | undefined;
}

/** A job's progress and the duration of its phases. */
export function JobProgress({ details, now: initialNow, waitReason }: JobProgressProps) {
  const { job, phases } = details;
  const running = !isFinal(job);
  const now = useNow(initialNow, running);
  const left = useTimeLeft(details, now);
  return (
    <Card>
      <CardHeader>
        <CardTitle>Timeline</CardTitle>
        <p className="text-sm text-muted-foreground">
          <LocalTime time={job.created_at} />
          {details.attempts > 1 && `, attempt ${details.attempts}`}
          {details.networkBytes > 0 &&
            `, ${formatBytes(details.networkBytes)} loaded from the network`}
        </p>
      </CardHeader>
      <CardContent className="grid gap-5">
        {running && (
          <Meter
            label="Progress"
            percent={job.progress}
            text={job.status === "pending" ? "Waiting" : `${Math.round(job.progress)}%`}
          />
        )}
        {left !== undefined && (
          <TimeLeft percent={job.progress} left={left} details={details} now={now} />
        )}
        <Timeline phases={phases} now={now} left={left} status={job.status} />
        {job.status === "pending" && <WaitNotice />}
        {waitReason !== undefined && <p className="text-sm text-muted-foreground">{waitReason}</p>}
      </CardContent>
    </Card>
  );
}
