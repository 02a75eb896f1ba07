"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { StatusBadge } from "#components/jobs/status-badge.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { isFinal } from "#lib/jobs/state.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import { ResultExplained } from "./explain/result-explained.tsx";
import { Failure } from "./failure.tsx";
import { useJobDetails } from "./follow/use-job-details.ts";
import { type JobActionHandlers, JobActions } from "./job-actions.tsx";
import { InputList, ValueList } from "./job-data.tsx";
import { JobProgress } from "./job-progress.tsx";
import { KeepSteps } from "./keep-steps.tsx";
import { Outputs } from "./outputs.tsx";
import { StatusAnnouncer } from "./status-announcer.tsx";
import { ChainSteps } from "./steps/chain-steps.tsx";

interface JobViewProps {
  readonly initial: JobDetails;
  /** When the server read the job, in milliseconds since 1970. */
  readonly now: number;
  /** Why the job waited; undefined if it did not wait long. */
  readonly waitReason: string | undefined;
  readonly handlers: JobActionHandlers;
  /** The sections that the server renders. */
  readonly children: ReactNode;
}

/** A job's page, updated live. */
export function JobView({ initial, now, waitReason, handlers, children }: JobViewProps) {
  const details = useJobDetails(initial.job.id, initial) ?? initial;
  const { job } = details;
  const router = useRouter();
  const finished = isFinal(job);
  const wasFinished = isFinal(initial.job);
  // The operations of a chain show theirs.
  const { operations, ...others } = job.params;
  const params = details.steps.length > 0 ? others : job.params;
  // The server renders what depends on the end of the job, such as webhook deliveries.
  useEffect(() => {
    if (finished && !wasFinished) router.refresh();
  }, [finished, wasFinished, router]);
  return (
    <>
      <PageHeader
        parent={{ href: "/dashboard/jobs", label: "Jobs" }}
        title={titleOf(details)}
        description={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="flex items-center gap-1 font-mono text-xs break-all">
              {job.id}
              <CopyButton text={job.id} label="Copy ID" />
            </span>
            <StatusBadge
              status={job.status}
              progress={job.progress}
              warnings={job.warnings.length}
            />
            <StatusAnnouncer status={job.status} />
          </span>
        }
        actions={<JobActions details={details} handlers={handlers} />}
      />
      <div className="grid grid-cols-1 gap-6">
        {job.status === "failed" && <Failure job={job} />}
        <JobProgress details={details} now={now} waitReason={waitReason} />
        {job.warnings.length > 0 && (
          <Section title={job.warnings.length === 1 ? "Warning" : "Warnings"}>
            <ul className="grid gap-2 text-sm break-words">
              {job.warnings.map((warning, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two warnings may be the same
                <li key={index}>{warning}</li>
              ))}
            </ul>
          </Section>
        )}
        {job.status === "completed" && <Result details={details} />}
        {details.steps.length > 0 && (
          <Section title="Operations">
            <ChainSteps
              details={details}
              keepSteps={details.hasFiles && <KeepSteps jobId={job.id} retry={handlers.retry} />}
            />
          </Section>
        )}
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <div className="grid min-w-0 gap-6">
            <Section title={details.inputs.length === 1 ? "Input" : "Inputs"}>
              <InputList inputs={details.inputs} />
            </Section>
            {Object.keys(job.metadata).length > 0 && (
              <Section title="Metadata">
                <ValueList values={job.metadata} empty="" />
              </Section>
            )}
          </div>
          {Object.keys(params).length > 0 && (
            <Section title="Parameters">
              <ValueList values={params} empty="" />
            </Section>
          )}
        </div>
        {children}
      </div>
    </>
  );
}

/** The operation, or those of a chain: "video/trim → image/resize". */
function titleOf({ job, steps }: JobDetails): string {
  if (steps.length === 0) return job.operation;
  const shown = steps.slice(0, maxTitleSteps).map(({ type }) => type);
  return [...shown, ...(steps.length > maxTitleSteps ? ["…"] : [])].join(" → ");
}

/** Longer chains are shortened in the title. */
const maxTitleSteps = 4;

function Result({ details }: { details: JobDetails }) {
  const { expiresAt, hasFiles, job } = details;
  return (
    <Section title={job.outputs.length === 1 ? "Output" : "Outputs"}>
      <ResultExplained details={details} />
      {hasFiles || job.result ? <Outputs details={details} /> : null}
      <p className="mt-4 text-sm text-muted-foreground">
        {hasFiles
          ? expiresAt && (
              <>
                Files are kept until <LocalTime time={expiresAt} />.
              </>
            )
          : "The files have been deleted. The job record is kept."}
      </p>
    </Section>
  );
}

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
