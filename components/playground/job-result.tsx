"use client";

import { ArrowRightIcon } from "lucide-react";
import Link from "next/link";
import { useTransition } from "react";
import { toFailedAction } from "#components/jobs/failed-action.ts";
import { Failure } from "#components/jobs/failure.tsx";
import { jobsPath, useJobDetails } from "#components/jobs/follow/use-job-details.ts";
import type { JobActionHandlers } from "#components/jobs/job-actions.tsx";
import { Outputs } from "#components/jobs/outputs.tsx";
import { StatusAnnouncer } from "#components/jobs/status-announcer.tsx";
import { StatusBadge } from "#components/jobs/status-badge.tsx";
import { ChainSteps } from "#components/jobs/steps/chain-steps.tsx";
import { TimeLeft } from "#components/jobs/timeline/time-left.tsx";
import { Timeline } from "#components/jobs/timeline/timeline.tsx";
import { useTimeLeft } from "#components/jobs/timeline/use-time-left.ts";
import { useNow } from "#components/jobs/use-now.ts";
import { WaitNotice } from "#components/jobs/wait-notice.tsx";
import { ShareButton } from "#components/share/share-button.tsx";
import { Button } from "#components/ui/button.tsx";
import { Meter } from "#components/ui/meter.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import { isFinal } from "#lib/jobs/state.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";

interface JobResultProps {
  readonly id: string;
  /** The function that cancels the job; undefined if the job cannot be cancelled. */
  readonly cancel?: JobActionHandlers["cancel"];
  /** Where the events and archives of jobs are. Only the default has a page for each job. */
  readonly path?: string;
}

/** A job that was started on the page: its progress, then its outputs. */
export function JobResult({ id, cancel, path = jobsPath }: JobResultProps) {
  const details = useJobDetails(id, undefined, path);
  return <JobDetailsResult details={details} cancel={cancel} path={path} />;
}

interface JobDetailsResultProps extends Omit<JobResultProps, "id"> {
  /** The details of the job; undefined until they are loaded. */
  readonly details: JobDetails | undefined;
}

/** The progress and the outputs of a job whose details are known. */
export function JobDetailsResult({ details, cancel, path = jobsPath }: JobDetailsResultProps) {
  if (!details) return <Skeleton className="h-40 w-full" />;
  const { job } = details;
  const { id } = job;
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <StatusBadge status={job.status} progress={job.progress} warnings={job.warnings.length} />
        <StatusAnnouncer status={job.status} />
        {isFinal(job) && path === jobsPath && (
          <span className="flex flex-wrap items-center gap-1">
            <ShareButton details={details} variant="ghost" size="sm" />
            <Button asChild variant="ghost" size="sm">
              <Link href={`/dashboard/jobs/${id}`}>
                Open job
                <ArrowRightIcon aria-hidden="true" />
              </Link>
            </Button>
          </span>
        )}
        {!isFinal(job) && cancel && <CancelButton id={id} cancel={cancel} />}
      </div>
      <Progress details={details} />
      {job.status === "failed" && <Failure job={job} />}
      {job.status === "completed" && <Outputs details={details} path={path} />}
      {(job.status === "completed" || job.status === "failed") && details.steps.length > 0 && (
        <section className="grid grid-cols-1 gap-3">
          <h3 className="text-sm font-medium">Operations</h3>
          <ChainSteps details={details} />
        </section>
      )}
    </div>
  );
}

/** Cancels without confirmation, so that a run that was started by mistake stops immediately. */
function CancelButton({ id, cancel }: { id: string; cancel: JobActionHandlers["cancel"] }) {
  const [cancelling, start] = useTransition();
  const onClick = () =>
    start(async () => {
      const { error } = await cancel(id).catch(toFailedAction);
      if (error !== undefined) toast.error(error);
    });
  return (
    <Button variant="outline" size="sm" disabled={cancelling} onClick={onClick}>
      Cancel job
    </Button>
  );
}

function Progress({ details }: { details: JobDetails }) {
  const { job, phases } = details;
  const running = !isFinal(job);
  const now = useNow(Date.parse(job.created_at), running);
  const left = useTimeLeft(details, now);
  return (
    <div className="grid gap-4">
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
    </div>
  );
}
