import type { ReactNode } from "react";
import type { ActionFormProps } from "#components/forms/action-form.tsx";
import { StatusBadge } from "#components/jobs/status-badge.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import type { AnyoneJob } from "#lib/db/queries/operator/queue.ts";
import { isFinal } from "#lib/jobs/state.ts";
import { ActButton } from "./act-button.tsx";

interface AnyoneJobTableProps {
  readonly label: string;
  readonly jobs: readonly AnyoneJob[];
  /** What is shown when there are no jobs. */
  readonly empty: ReactNode;
  readonly actions: Readonly<Record<"cancelJob" | "retryJob", ActionFormProps["action"]>>;
}

/** Jobs of all accounts, without their files and parameters. */
export function AnyoneJobTable({ label, jobs, empty, actions }: AnyoneJobTableProps) {
  const now = new Date().toISOString();
  const button = (job: AnyoneJob) => <JobButton job={job} actions={actions} />;
  const columns: readonly Column<AnyoneJob>[] = [
    {
      header: "Job",
      className: "w-full max-w-0",
      cell: ({ id, operation }) => (
        <>
          <span className="block truncate">{operation}</span>
          <span className="block truncate font-mono text-xs text-muted-foreground">{id}</span>
        </>
      ),
    },
    { header: "Account", className: "max-w-48 truncate", cell: ({ email }) => email },
    { header: "Plan", className: "capitalize", cell: ({ plan }) => plan },
    {
      header: "Status",
      cell: ({ status, errorCode }) => (
        <>
          <StatusBadge status={status} />
          {errorCode && <span className="block font-mono text-xs">{errorCode}</span>}
        </>
      ),
    },
    {
      header: "Accepted",
      className: "whitespace-nowrap",
      cell: ({ createdAt }) => <TimeAgo time={createdAt.toISOString()} now={now} />,
    },
    { header: "Act", hiddenHeader: true, align: "right", cell: button },
  ];
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={jobs}
      empty={empty}
      card={(job) => (
        <>
          <div className="flex items-center justify-between gap-3">
            <StatusBadge status={job.status} />
            <TimeAgo time={job.createdAt.toISOString()} now={now} />
          </div>
          <p className="truncate">{job.operation}</p>
          <p className="truncate text-muted-foreground">
            {job.email}, {job.plan}
            {job.errorCode && `, ${job.errorCode}`}
          </p>
          <p className="flex items-center justify-between gap-3">
            <span className="truncate font-mono text-xs text-muted-foreground">{job.id}</span>
            {button(job)}
          </p>
        </>
      )}
    />
  );
}

function JobButton({ job, actions }: Pick<AnyoneJobTableProps, "actions"> & { job: AnyoneJob }) {
  const shared = { values: { job: job.id }, subject: `${job.operation} of ${job.email}` };
  if (!isFinal(job)) {
    return (
      <ActButton
        {...shared}
        action={actions.cancelJob}
        label="Cancel job"
        title="Cancel this job?"
        description={`The job of ${job.email} stops. It does not count toward the usage.`}
      />
    );
  }
  return (
    <ActButton
      {...shared}
      action={actions.retryJob}
      label="Retry job"
      destructive={false}
      title="Retry this job?"
      description={`Creates a new job of ${job.email} with the same input. It counts toward the usage of that account.`}
    />
  );
}
