"use client";

import { type ReactNode, useCallback } from "react";
import { isEnded } from "#components/dashboard/merge-jobs.ts";
import { StatusBadge } from "#components/dashboard/status-badge.tsx";
import { useLiveJobs } from "#components/dashboard/use-live-jobs.ts";
import { formatBytes, formatDuration } from "#components/format.ts";
import {
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableHeader,
  TableRow,
} from "#components/ui/table.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { WarmLink } from "#components/ui/warm-link.tsx";
import type { JobSummary } from "#lib/jobs/view/summary.ts";
import { type JobFilters, passes } from "./filters.ts";
import { useNow } from "./use-now.ts";

interface JobListProps {
  /** What the server has found, newest first. */
  readonly jobs: readonly JobSummary[];
  readonly filters: JobFilters;
  readonly pageSize: number;
  /** Whether it is the page on which a job that is made now belongs. */
  readonly isNewest: boolean;
  /** When the server found them; milliseconds since 1970. */
  readonly now: number;
  /** Stands where there are none. */
  readonly empty: ReactNode;
}

/** Jobs as they stand: a table, or cards where the page is narrow. */
export function JobList({ jobs: found, filters, pageSize, isNewest, ...rest }: JobListProps) {
  const admit = useCallback(
    (job: JobSummary) => isNewest && passes(filters, job),
    [filters, isNewest],
  );
  const jobs = useLiveJobs(found, { admit, limit: pageSize });
  const now = useNow(rest.now, !jobs.every(isEnded), 1000);
  const madeAt = new Date(rest.now).toISOString();
  if (jobs.length === 0) return rest.empty;
  return (
    <>
      <div className="hidden md:block">
        <Table aria-label="Jobs">
          <TableHeader>
            <TableRow>
              <TableHead className="pl-5">Status</TableHead>
              <TableHead>Operation</TableHead>
              <TableHead>Input</TableHead>
              <TableHead>Created</TableHead>
              <TableHead className="pr-5 text-right">Took</TableHead>
            </TableRow>
          </TableHeader>
          <TableBody>
            {jobs.map((job) => (
              <TableRow key={job.id} className="relative">
                <TableCell className="pl-5">
                  <StatusBadge status={job.status} progress={job.progress} />
                </TableCell>
                <TableCell>
                  <JobLink job={job} />
                </TableCell>
                <TableCell className="max-w-64">
                  <JobInput job={job} />
                </TableCell>
                <TableCell className="whitespace-nowrap text-muted-foreground">
                  <TimeAgo time={job.createdAt} now={madeAt} />
                </TableCell>
                <TableCell className="pr-5 text-right whitespace-nowrap text-muted-foreground tabular-nums">
                  {took(job, now)}
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </div>
      <ul aria-label="Jobs" className="divide-y md:hidden">
        {jobs.map((job) => (
          <li key={job.id} className="relative grid gap-2 p-4 text-sm">
            <div className="flex items-center justify-between gap-3">
              <StatusBadge status={job.status} progress={job.progress} />
              <span className="text-muted-foreground">
                <TimeAgo time={job.createdAt} now={madeAt} />
              </span>
            </div>
            <JobLink job={job} />
            <div className="flex items-center justify-between gap-3">
              <JobInput job={job} />
              <span className="shrink-0 text-muted-foreground tabular-nums">{took(job, now)}</span>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The whole row leads to the job: the link is stretched over it. */
function JobLink({ job }: { job: JobSummary }) {
  return (
    <WarmLink
      href={`/dashboard/jobs/${job.id}`}
      prefetch={false}
      className="grid gap-0.5 after:absolute after:inset-0"
    >
      <span className="font-medium">{job.operation}</span>
      <span className="font-mono text-xs break-all text-muted-foreground">{job.id}</span>
    </WarmLink>
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

/** From its start to its end, or until now. */
function took(job: JobSummary, now: number): string {
  if (job.startedAt === null) return "–";
  const end = job.completedAt === null ? now : Date.parse(job.completedAt);
  return formatDuration(Math.max(0, end - Date.parse(job.startedAt)));
}
