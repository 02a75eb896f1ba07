"use client";

import { type ReactNode, useCallback } from "react";
import { useDelayedRefresh } from "#components/dashboard/use-delayed-refresh.ts";
import { formatBytes, formatDuration } from "#components/format.ts";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { RowLink } from "#components/ui/row-link.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { isFinal } from "#lib/jobs/state.ts";
import { jobDurationMs } from "#lib/jobs/view/duration.ts";
import type { JobSummary } from "#lib/jobs/view/summary.ts";
import { type JobFilters, matchesFilters } from "./filters.ts";
import { StatusBadge } from "./status-badge.tsx";
import { useLiveJobs } from "./use-live-jobs.ts";
import { useNow } from "./use-now.ts";

interface JobListProps {
  /** The page's jobs as the server read them, newest first. */
  readonly jobs: readonly JobSummary[];
  readonly filters: JobFilters;
  readonly pageSize: number;
  /** Whether new jobs belong on this page. */
  readonly isNewest: boolean;
  /** When the server read the jobs, in milliseconds since 1970. */
  readonly now: number;
  /** Shown when there are no jobs. */
  readonly empty: ReactNode;
}

/** A page of jobs, updated live: a table, or cards on narrow pages. */
export function JobList({ jobs: initial, filters, pageSize, isNewest, ...rest }: JobListProps) {
  const includeNew = useCallback(
    (job: JobSummary) => isNewest && matchesFilters(filters, job),
    [filters, isNewest],
  );
  const refresh = useDelayedRefresh();
  const jobs = useLiveJobs(initial, {
    includeNew,
    limit: pageSize,
    // The server renders the filters, the total and the pager.
    onCreatedOrFinal: () => isNewest && refresh(),
  });
  const now = useNow(rest.now, !jobs.every(isFinal), 1000);
  const renderedAt = new Date(rest.now).toISOString();
  const columns: readonly Column<JobSummary>[] = [
    { header: "Status", cell: (job) => <JobStatus job={job} /> },
    { header: "Operation", cell: (job) => <JobLink job={job} /> },
    { header: "Input", className: "max-w-64", cell: (job) => <JobInput job={job} /> },
    {
      header: "Created",
      className: "whitespace-nowrap text-muted-foreground",
      cell: ({ createdAt }) => <TimeAgo time={createdAt} now={renderedAt} />,
    },
    {
      header: "Duration",
      align: "right",
      className: "whitespace-nowrap text-muted-foreground tabular-nums",
      cell: (job) => formatDuration(jobDurationMs(job, now)),
    },
  ];
  return (
    <DataTable
      label="Jobs"
      columns={columns}
      rows={jobs}
      empty={rest.empty}
      card={(job) => <JobCard job={job} now={now} renderedAt={renderedAt} />}
    />
  );
}

function JobCard({ job, now, renderedAt }: { job: JobSummary; now: number; renderedAt: string }) {
  return (
    <>
      <div className="flex items-center justify-between gap-3">
        <JobStatus job={job} />
        <span className="text-muted-foreground">
          <TimeAgo time={job.createdAt} now={renderedAt} />
        </span>
      </div>
      <JobLink job={job} />
      <div className="flex items-center justify-between gap-3">
        <JobInput job={job} />
        <span className="shrink-0 text-muted-foreground tabular-nums">
          {formatDuration(jobDurationMs(job, now))}
        </span>
      </div>
    </>
  );
}

function JobStatus({ job: { status, progress } }: { job: JobSummary }) {
  return <StatusBadge status={status} progress={progress} />;
}

function JobLink({ job }: { job: JobSummary }) {
  return (
    <span className="grid justify-items-start gap-0.5">
      <RowLink href={`/dashboard/jobs/${job.id}`} className="font-medium hover:underline">
        {job.operation}
      </RowLink>
      <span className="font-mono text-xs break-all text-muted-foreground">{job.id}</span>
    </span>
  );
}

function JobInput({ job }: { job: JobSummary }) {
  return (
    <span className="grid min-w-0 gap-0.5">
      <span className="truncate" title={job.input ?? undefined}>
        {job.input}
      </span>
      {job.inputBytes !== null && (
        <span className="text-xs text-muted-foreground">{formatBytes(job.inputBytes)}</span>
      )}
    </span>
  );
}
