"use client";

import { SparklesIcon } from "lucide-react";
import { memo, useEffect, useEffectEvent } from "react";
import { formatBytes } from "#components/format.ts";
import type { JobActionHandlers } from "#components/jobs/job-actions.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Meter } from "#components/ui/meter.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { useLazyComponent } from "#components/ui/use-lazy-component.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import type { RunState } from "./state/use-run.ts";
import type { SentForm } from "./steps/run-request.ts";

const load = () => import("./run-result.tsx").then((module) => module.RunResult);

interface RunPanelProps {
  readonly state: RunState;
  /** The form of the last run. */
  readonly sent: SentForm | undefined;
  readonly baseUrl: string;
  readonly onAbort: () => void;
  readonly cancel: JobActionHandlers["cancel"];
  /** The function that is called when the details of the job change. */
  readonly onDetails: (details: JobDetails) => void;
}

/** The upload, the progress and the result of a run. Memoized, so that typing in the form does not render it. */
export const RunPanel = memo(function RunPanel(props: RunPanelProps) {
  const { state, sent, baseUrl, onAbort, cancel, onDetails } = props;
  // The script that shows the result is loaded during the upload.
  const { Component: RunResult, preload, show } = useLazyComponent(load);
  const preloadResult = useEffectEvent(preload);
  const showResult = useEffectEvent(show);
  const hasResult = state.kind === "accepted" || (state.kind === "idle" && Boolean(state.response));
  useEffect(() => {
    if (hasResult) showResult();
    else if (state.kind === "sending") preloadResult();
  }, [hasResult, state.kind]);
  return (
    <Card aria-label="Result" className="min-w-0">
      <CardContent>
        {state.kind === "idle" && !hasResult && (
          <div className="grid place-content-center lg:min-h-[60vh]">
            <EmptyState icon={SparklesIcon} title="No result yet">
              Fill in the form and run the operation. The job counts toward your usage and appears
              in your job list.
            </EmptyState>
          </div>
        )}
        {state.kind === "sending" && <Sending {...state} onAbort={onAbort} />}
        {state.kind !== "sending" &&
          hasResult &&
          (RunResult ? (
            <RunResult
              key={state.kind === "accepted" ? state.jobId : "rejected"}
              state={state}
              sent={sent}
              baseUrl={baseUrl}
              cancel={cancel}
              onDetails={onDetails}
            />
          ) : (
            <Skeleton className="h-40 w-full" />
          ))}
      </CardContent>
    </Card>
  );
});

/** The progress of an upload. */
export function Sending({
  sent,
  total,
  onAbort,
}: {
  sent: number;
  total: number;
  onAbort: () => void;
}) {
  const percent = total === 0 ? 0 : (100 * sent) / total;
  const text = total === 0 ? "…" : `${formatBytes(sent)} of ${formatBytes(total)}`;
  return (
    <div className="grid gap-4">
      <div className="flex items-center justify-between gap-3 text-sm">
        <p className="font-medium">Uploading</p>
        <p className="text-muted-foreground tabular-nums">{text}</p>
      </div>
      <Meter label="Upload" percent={percent} text={text} />
      <Button variant="outline" size="sm" className="w-fit" onClick={onAbort}>
        Cancel upload
      </Button>
    </div>
  );
}
