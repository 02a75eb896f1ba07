import { formatBytes, formatDuration } from "#components/format.ts";
import { Meter } from "#components/ui/meter.tsx";
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
import { StatusBadge } from "../status-badge.tsx";

interface RecentJobsTableProps {
  readonly jobs: readonly JobSummary[];
  readonly now: string;
}

export function RecentJobsTable({ jobs, now }: RecentJobsTableProps) {
  return (
    <Table aria-label="Recent jobs">
      <TableHeader>
        <TableRow>
          <TableHead className="pl-5">Status</TableHead>
          <TableHead>Operation</TableHead>
          <TableHead className="hidden md:table-cell">Input</TableHead>
          <TableHead className="hidden sm:table-cell">Size</TableHead>
          <TableHead className="hidden sm:table-cell">Created</TableHead>
          <TableHead className="hidden pr-5 sm:table-cell">Took</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody>
        {jobs.map((job) => (
          <TableRow key={job.id} className="relative">
            <TableCell className="pl-5">
              <StatusBadge status={job.status} />
            </TableCell>
            <TableCell className="font-medium md:whitespace-nowrap">
              <WarmLink
                href={`/dashboard/jobs/${job.id}`}
                prefetch={false}
                className="after:absolute after:inset-0 hover:underline"
              >
                {job.operation}
              </WarmLink>
              <span className="block text-xs font-normal text-muted-foreground sm:hidden">
                <TimeAgo time={job.createdAt} now={now} />
              </span>
            </TableCell>
            <TableCell className="hidden w-full max-w-0 truncate text-muted-foreground md:table-cell">
              <span title={job.input ?? undefined}>{job.input}</span>
            </TableCell>
            <TableCell className="hidden whitespace-nowrap tabular-nums sm:table-cell">
              {job.inputBytes === null ? "" : formatBytes(job.inputBytes)}
            </TableCell>
            <TableCell className="hidden whitespace-nowrap sm:table-cell">
              <TimeAgo time={job.createdAt} now={now} />
            </TableCell>
            <TableCell className="hidden min-w-28 pr-5 whitespace-nowrap tabular-nums sm:table-cell">
              <Took job={job} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

/** How far a job is, or how long it took. */
function Took({ job }: { job: JobSummary }) {
  if (job.status === "processing") {
    return <Meter label={`Progress of ${job.operation}`} percent={job.progress} className="h-4" />;
  }
  if (job.startedAt === null || job.completedAt === null) return null;
  return formatDuration(Date.parse(job.completedAt) - Date.parse(job.startedAt));
}
