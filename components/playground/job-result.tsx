"use client";

import { ArrowRightIcon } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { isEnded } from "#components/dashboard/merge-jobs.ts";
import { StatusBadge } from "#components/dashboard/status-badge.tsx";
import { Failure } from "#components/jobs/failure.tsx";
import type { JobActs } from "#components/jobs/job-actions.tsx";
import { Outputs } from "#components/jobs/outputs.tsx";
import { SpokenStatus } from "#components/jobs/spoken-status.tsx";
import { Timeline } from "#components/jobs/timeline.tsx";
import { useJobDetails } from "#components/jobs/use-job-details.ts";
import { useNow } from "#components/jobs/use-now.ts";
import { Button } from "#components/ui/button.tsx";
import { Meter } from "#components/ui/meter.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { toast } from "#components/ui/toast.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";

/** A job that was begun here, until its end: then what it made. */
export function JobResult({ id, cancel }: { id: string; cancel: JobActs["cancel"] }) {
  const details = useJobDetails(id);
  if (!details) return <Skeleton className="h-40 w-full" />;
  const { job } = details;
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <StatusBadge status={job.status} progress={job.progress} />
        <SpokenStatus status={job.status} />
        {isEnded(job) ? (
          <Button asChild variant="ghost" size="sm">
            <Link href={`/dashboard/jobs/${id}`}>
              Open the job
              <ArrowRightIcon aria-hidden="true" />
            </Link>
          </Button>
        ) : (
          <CancelButton id={id} cancel={cancel} />
        )}
      </div>
      <Progress details={details} />
      {job.status === "failed" && <Failure job={job} />}
      {job.status === "completed" && <Outputs details={details} />}
    </div>
  );
}

/** No question first: a run that was begun here by mistake should be stopped at once. */
function CancelButton({ id, cancel }: { id: string; cancel: JobActs["cancel"] }) {
  const [asked, setAsked] = useState(false);
  return (
    <Button
      variant="outline"
      size="sm"
      disabled={asked}
      onClick={async () => {
        setAsked(true);
        const { error } = await cancel(id);
        if (error !== undefined) toast.error(error);
        setAsked(false);
      }}
    >
      Cancel the job
    </Button>
  );
}

function Progress({ details: { job, phases } }: { details: JobDetails }) {
  const running = !isEnded(job);
  const now = useNow(Date.parse(job.created_at), running);
  return (
    <div className="grid gap-4">
      {running && (
        <Meter
          label="Progress"
          percent={job.progress}
          text={job.status === "pending" ? "waiting" : `${Math.round(job.progress)} %`}
        />
      )}
      <Timeline phases={phases} now={now} status={job.status} />
    </div>
  );
}
