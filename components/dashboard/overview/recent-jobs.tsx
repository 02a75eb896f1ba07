"use client";

import { InboxIcon } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type { JobSummary } from "#lib/jobs/view/summary.ts";
import { useLiveJobs } from "../use-live-jobs.ts";
import { RecentJobsTable } from "./recent-jobs-table.tsx";

interface RecentJobsProps {
  /** The newest jobs, newest first. */
  readonly initial: readonly JobSummary[];
  readonly limit: number;
  /** When the page was made, RFC 3339. */
  readonly now: string;
}

/** After a job's turn the page's figures are made anew, at most this often. */
const refreshMs = 2000;

const admitAll = () => true;

/** The newest jobs as they come and go on; the rest of the page follows them. */
export function RecentJobs({ initial, limit, now }: RecentJobsProps) {
  const router = useRouter();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [said, setSaid] = useState("");
  const jobs = useLiveJobs(initial, {
    admit: admitAll,
    limit,
    onTurn({ operation, status }) {
      setSaid(`${operation} ${status}`);
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        router.refresh();
      }, refreshMs);
    },
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <Card>
      <CardHeader className="items-center pb-3">
        <CardTitle>Recent jobs</CardTitle>
        <Button variant="outline" size="sm" asChild>
          <Link href="/dashboard/jobs">All jobs</Link>
        </Button>
      </CardHeader>
      <p role="status" className="sr-only">
        {said}
      </p>
      {jobs.length === 0 ? (
        <EmptyState icon={InboxIcon} title="No jobs yet">
          The first one appears here by itself as soon as it is sent.
        </EmptyState>
      ) : (
        <RecentJobsTable jobs={jobs} now={now} />
      )}
    </Card>
  );
}
