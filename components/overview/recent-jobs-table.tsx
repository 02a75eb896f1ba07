import type { ReactNode } from "react";
import { formatBytes, formatDuration } from "#components/format.ts";
import { StatusBadge } from "#components/jobs/status-badge.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { Meter } from "#components/ui/meter.tsx";
import { RowLink } from "#components/ui/row-link.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { jobDurationMs } from "#lib/jobs/view/duration.ts";
import type { JobSummary } from "#lib/jobs/view/summary.ts";

interface RecentJobsTableProps {
  readonly jobs: readonly JobSummary[];
  /** When the server rendered the page, RFC 3339. */
  readonly now: string;
  readonly empty: ReactNode;
  readonly announcement: string;
}

export function RecentJobsTable({ jobs, now, ...rest }: RecentJobsTableProps) {
  const columns: readonly Column<JobSummary>[] = [
    { header: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
    {
      header: "Operation",
      className: "font-medium md:whitespace-nowrap",
      cell: (job) => <OperationCell job={job} now={now} />,
    },
    {
      header: "Input",
      from: "md",
      className: "w-full max-w-0 truncate text-muted-foreground",
      cell: ({ input }) => <span title={input ?? undefined}>{input}</span>,
    },
    {
      header: "Size",
      from: "sm",
      className: "whitespace-nowrap tabular-nums",
      cell: ({ inputBytes }) => (inputBytes === null ? "" : formatBytes(inputBytes)),
    },
    {
      header: "Created",
      from: "sm",
      className: "whitespace-nowrap",
      cell: ({ createdAt }) => <TimeAgo time={createdAt} now={now} />,
    },
    {
      header: "Duration",
      from: "sm",
      className: "min-w-28 whitespace-nowrap tabular-nums",
      cell: (job) => <ProgressOrDuration job={job} />,
    },
  ];
  return <DataTable label="Recent jobs" columns={columns} rows={jobs} {...rest} />;
}

function OperationCell({ job, now }: { job: JobSummary; now: string }) {
  return (
    <>
      <RowLink href={`/dashboard/jobs/${job.id}`} className="hover:underline">
        {job.operation}
      </RowLink>
      <span className="block text-xs font-normal text-muted-foreground sm:hidden">
        <TimeAgo time={job.createdAt} now={now} />
      </span>
    </>
  );
}

function ProgressOrDuration({ job }: { job: JobSummary }) {
  if (job.status === "processing") {
    return <Meter label={`Progress of ${job.operation}`} percent={job.progress} className="h-4" />;
  }
  if (job.completedAt === null) return null;
  return formatDuration(jobDurationMs(job, Date.parse(job.completedAt)));
}
