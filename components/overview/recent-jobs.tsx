"use client";

import { InboxIcon } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { useDelayedRefresh } from "#components/dashboard/use-delayed-refresh.ts";
import { useLiveJobs } from "#components/jobs/list/use-live-jobs.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type { JobSummary } from "#lib/jobs/view/summary.ts";
import { RecentJobsTable } from "./recent-jobs-table.tsx";

interface RecentJobsProps {
  /** The newest jobs, newest first. */
  readonly initial: readonly JobSummary[];
  readonly limit: number;
  /** When the server rendered the page, RFC 3339. */
  readonly now: string;
}

const includeAll = () => true;

/** The newest jobs, updated live. Refreshes the rest of the page when a job is created or finishes. */
export function RecentJobs({ initial, limit, now }: RecentJobsProps) {
  const refresh = useDelayedRefresh();
  const [announcement, setAnnouncement] = useState("");
  const jobs = useLiveJobs(initial, {
    includeNew: includeAll,
    limit,
    onCreatedOrFinal({ operation, status }) {
      setAnnouncement(`${operation} ${status}`);
      refresh();
    },
  });
  return (
    <Card>
      <CardHeader className="items-center pb-3">
        <CardTitle>Recent jobs</CardTitle>
        <Button variant="outline" size="sm" asChild>
          <Link href="/dashboard/jobs">View all jobs</Link>
        </Button>
      </CardHeader>
      <RecentJobsTable
        jobs={jobs}
        now={now}
        announcement={announcement}
        empty={
          <EmptyState icon={InboxIcon} title="No jobs yet">
            Send a request or run an operation in the playground. Jobs appear here automatically.
          </EmptyState>
        }
      />
    </Card>
  );
}
