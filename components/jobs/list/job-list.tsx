"use client";

import { type ReactNode, useCallback } from "react";
import { useDelayedRefresh } from "#components/dashboard/use-delayed-refresh.ts";
import { formatBytes, formatDuration } from "#components/format.ts";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { Checkbox } from "#components/ui/inputs/checkbox.tsx";
import { RowLink } from "#components/ui/row-link.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { isFinal } from "#lib/jobs/state.ts";
import { jobDurationMs } from "#lib/jobs/view/duration.ts";
import { type JobFilters, matchesFilters } from "#lib/jobs/view/job-filters.ts";
import type { JobSummary } from "#lib/jobs/view/summary.ts";
import { StatusBadge } from "../status-badge.tsx";
import { useNow } from "../use-now.ts";
import { BulkBar, type RunBulkAction } from "./bulk-bar.tsx";
import type { JobColumn } from "./job-columns.ts";
import { useLiveJobs } from "./use-live-jobs.ts";
import { useSelection } from "./use-selection.ts";

interface JobListProps {
  /** The page's jobs as the server read them, newest first. */
  readonly jobs: readonly JobSummary[];
  readonly filters: JobFilters;
  readonly pageSize: number;
  /** Whether new jobs belong on this page. */
  readonly isNewest: boolean;
  /** The columns in addition to status and operation. */
  readonly columns: readonly JobColumn[];
  /** Runs an action on the selected jobs. */
  readonly run: RunBulkAction;
  /** When the server read the jobs, in milliseconds since 1970. */
  readonly now: number;
  /** What is shown when there are no jobs. */
  readonly empty: ReactNode;
}

/** A page of jobs, updated live: a table, or cards on narrow pages. */
export function JobList({
  jobs: initial,
  filters,
  pageSize,
  isNewest,
  run,
  ...rest
}: JobListProps) {
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
  const selection = useSelection(jobs);
  const timeCell = (time: string | null) => time && <TimeAgo time={time} now={renderedAt} />;
  const muted = "whitespace-nowrap text-muted-foreground";
  const optional: Readonly<Record<JobColumn, Column<JobSummary>>> = {
    input: { header: "Input", className: "max-w-64", cell: (job) => <JobInput job={job} /> },
    size: {
      header: "Size",
      align: "right",
      className: `${muted} tabular-nums`,
      cell: ({ inputBytes }) => inputBytes !== null && formatBytes(inputBytes),
    },
    error: {
      header: "Error",
      className: "max-w-64 font-mono text-xs",
      cell: ({ error, errorCode }) => <span title={error ?? undefined}>{errorCode}</span>,
    },
    created: { header: "Created", className: muted, cell: (job) => timeCell(job.createdAt) },
    started: { header: "Started", className: muted, cell: (job) => timeCell(job.startedAt) },
    completed: { header: "Completed", className: muted, cell: (job) => timeCell(job.completedAt) },
    duration: {
      header: "Duration",
      align: "right",
      className: `${muted} tabular-nums`,
      cell: (job) => formatDuration(jobDurationMs(job, now)),
    },
  };
  const checkbox = ({ id, operation }: JobSummary) => (
    <Checkbox
      aria-label={`Select ${operation} ${id}`}
      checked={selection.isSelected(id)}
      onChange={({ nativeEvent }) =>
        selection.toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
    />
  );
  const isSome = selection.selected.length > 0 && !selection.isAll;
  const allCheckbox = (
    <Checkbox
      ref={(box) => {
        if (box) box.indeterminate = isSome;
      }}
      aria-label="Select all jobs on this page"
      checked={selection.isAll}
      onChange={selection.isAll ? selection.clear : selection.selectAll}
    />
  );
  const columns: readonly Column<JobSummary>[] = [
    { header: "Select", headerCell: allCheckbox, className: "w-8", cell: checkbox },
    { header: "Status", cell: (job) => <JobStatus job={job} /> },
    { header: "Operation", cell: (job) => <JobLink job={job} /> },
    ...rest.columns.map((name) => optional[name]),
  ];
  return (
    <>
      <DataTable
        label="Jobs"
        columns={columns}
        rows={jobs}
        empty={rest.empty}
        card={(job) => (
          <JobCard job={job} now={now} renderedAt={renderedAt} checkbox={checkbox(job)} />
        )}
      />
      {selection.selected.length > 0 && (
        <BulkBar
          jobs={selection.selected}
          run={run}
          onSelectAll={selection.selectAll}
          onClear={selection.clear}
        />
      )}
    </>
  );
}

interface JobCardProps {
  readonly job: JobSummary;
  readonly now: number;
  readonly renderedAt: string;
  readonly checkbox: ReactNode;
}

function JobCard({ job, now, renderedAt, checkbox }: JobCardProps) {
  return (
    <>
      <div className="flex items-center justify-between gap-3">
        <span className="flex items-center gap-3">
          {checkbox}
          <JobStatus job={job} />
        </span>
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

function JobStatus({ job: { status, progress, warnings, error } }: { job: JobSummary }) {
  return (
    <span className="grid min-w-0 justify-items-start gap-1">
      <StatusBadge status={status} progress={progress} warnings={warnings} />
      {error !== null && (
        <span className="line-clamp-2 max-w-72 text-xs whitespace-normal text-muted-foreground">
          {error}
        </span>
      )}
    </span>
  );
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
