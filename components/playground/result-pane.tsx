"use client";

import { Suspense } from "react";
import type { JobActionHandlers } from "#components/jobs/job-actions.tsx";
import { lazyPart } from "#components/ui/loading/lazy-part.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import type { Batch } from "./batch/use-batch.ts";
import { RunPanel } from "./run-panel.tsx";
import type { useRun } from "./state/use-run.ts";
import type { SentForm } from "./steps/run-request.ts";
import type { FilledForm } from "./steps/snippet-request.ts";

// Most forms are run on one file.
const BatchPanel = lazyPart(() =>
  import("./batch/batch-panel.tsx").then((module) => module.BatchPanel),
);

interface ResultPaneProps {
  readonly batch: Batch;
  /** The form as it is now. */
  readonly form: FilledForm;
  readonly run: ReturnType<typeof useRun>;
  /** The form of the last run. */
  readonly sent: SentForm | undefined;
  readonly cancel: JobActionHandlers["cancel"];
  readonly onRetry: (indices: readonly number[]) => void;
  /** The function that is called when the details of the job change. */
  readonly onDetails: (details: JobDetails) => void;
}

/** The result of the form: of one job, or of a batch. */
export function ResultPane(props: ResultPaneProps) {
  const { batch, form, run, sent, cancel, onRetry, onDetails } = props;
  if (!batch.run) {
    return (
      <RunPanel
        state={run.state}
        onAbort={run.abort}
        sent={sent}
        baseUrl={form.baseUrl}
        cancel={cancel}
        onDetails={onDetails}
      />
    );
  }
  return (
    <Suspense fallback={<Skeleton className="h-72 w-full" />}>
      <BatchPanel run={batch.run} form={form} onCancel={batch.cancel} onRetry={onRetry} />
    </Suspense>
  );
}
