"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { isEnded } from "#components/dashboard/merge-jobs.ts";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { StatusBadge } from "#components/dashboard/status-badge.tsx";
import { formatTime } from "#components/format.ts";
import { Card, CardContent, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import { InputFacts, ValueFacts } from "./facts.tsx";
import { Failure } from "./failure.tsx";
import { JobActions, type JobActs } from "./job-actions.tsx";
import { JobProgress } from "./job-progress.tsx";
import { Outputs } from "./outputs.tsx";
import { SpokenStatus } from "./spoken-status.tsx";
import { useJobDetails } from "./use-job-details.ts";

interface JobViewProps {
  readonly initial: JobDetails;
  /** When the server read it; milliseconds since 1970. */
  readonly now: number;
  readonly acts: JobActs;
  /** The request as code, and the notifications: they come from the server. */
  readonly children: ReactNode;
}

/** A job's page, which moves with the job. */
export function JobView({ initial, now, acts, children }: JobViewProps) {
  const details = useJobDetails(initial.job.id, initial) ?? initial;
  const { job } = details;
  const router = useRouter();
  const ended = isEnded(job);
  const wasEnded = isEnded(initial.job);
  // What hangs on the end, such as the notification, is the server's to tell.
  useEffect(() => {
    if (ended && !wasEnded) router.refresh();
  }, [ended, wasEnded, router]);
  return (
    <>
      <PageHeader
        parent={{ href: "/dashboard/jobs", label: "Jobs" }}
        title={job.operation}
        description={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="flex items-center gap-1 font-mono text-xs break-all">
              {job.id}
              <CopyButton text={job.id} label="Copy the id" />
            </span>
            <StatusBadge status={job.status} progress={job.progress} />
            <SpokenStatus status={job.status} />
          </span>
        }
        actions={<JobActions details={details} acts={acts} />}
      />
      <div className="grid gap-6">
        {job.status === "failed" && <Failure job={job} />}
        <JobProgress details={details} now={now} />
        {job.status === "completed" && <Result details={details} />}
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <div className="grid min-w-0 gap-6">
            <Section title="Input">
              <InputFacts inputs={details.inputs} />
            </Section>
            {Object.keys(job.metadata).length > 0 && (
              <Section title="Metadata">
                <ValueFacts values={job.metadata} none="" />
              </Section>
            )}
          </div>
          <Section title="Parameters">
            <ValueFacts values={job.params} none="This operation takes none." />
          </Section>
        </div>
        {children}
      </div>
    </>
  );
}

function Result({ details }: { details: JobDetails }) {
  const { expiresAt, hasFiles, job } = details;
  const until = expiresAt === null ? null : formatTime(new Date(expiresAt));
  return (
    <Section title={job.outputs.length === 1 ? "Output" : "Outputs"}>
      {hasFiles || job.result ? <Outputs details={details} /> : null}
      <p className="mt-4 text-sm text-muted-foreground">
        {hasFiles
          ? until && `The files are kept until ${until}.`
          : "The files are deleted; this record stays."}
      </p>
    </Section>
  );
}

/** One matter of the page, under its heading. */
function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card className="min-w-0">
      <CardHeader>
        <CardTitle>{title}</CardTitle>
      </CardHeader>
      <CardContent>{children}</CardContent>
    </Card>
  );
}
