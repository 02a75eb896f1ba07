"use client";

import { useEffect, useEffectEvent } from "react";
import { useJobDetails } from "#components/jobs/follow/use-job-details.ts";
import type { JobActionHandlers } from "#components/jobs/job-actions.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs.tsx";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import { ExchangeView } from "./exchange/exchange-view.tsx";
import { JobDetailsResult } from "./job-result.tsx";
import type { RunState } from "./state/use-run.ts";
import type { SentForm } from "./steps/run-request.ts";

interface RunResultProps {
  /** An accepted job, or a rejection with its response. */
  readonly state: Exclude<RunState, { readonly kind: "sending" }>;
  readonly sent: SentForm | undefined;
  /** The service's URL, without a trailing slash. */
  readonly baseUrl: string;
  readonly cancel: JobActionHandlers["cancel"];
  /** The function that is called when the details of the job change. */
  readonly onDetails: (details: JobDetails) => void;
}

/** The job of a run, and in a second tab its request and response. After a reload of the page only the job. */
export function RunResult({ state, sent, baseUrl, cancel, onDetails }: RunResultProps) {
  const jobId = state.kind === "accepted" ? state.jobId : undefined;
  const details = useJobDetails(jobId);
  const report = useEffectEvent(onDetails);
  useEffect(() => {
    if (details) report(details);
  }, [details]);
  const result = <JobDetailsResult details={details} cancel={cancel} />;
  const { response } = state;
  if (!response || !sent) return result;
  const exchange = (
    <ExchangeView sent={sent} response={response} baseUrl={baseUrl} job={details?.job} />
  );
  if (jobId === undefined) {
    return (
      <div className="grid grid-cols-1 gap-4">
        <h2 className="text-sm font-medium">The request was rejected</h2>
        {exchange}
      </div>
    );
  }
  return (
    <Tabs defaultValue="result" className="min-w-0">
      <TabsList aria-label="Show">
        <TabsTrigger value="result">Result</TabsTrigger>
        <TabsTrigger value="exchange">Request and response</TabsTrigger>
      </TabsList>
      {/* Stays mounted, so that a video that plays or a comparison keeps its state. */}
      <TabsContent forceMount value="result" className="data-[state=inactive]:hidden">
        {result}
      </TabsContent>
      <TabsContent value="exchange">{exchange}</TabsContent>
    </Tabs>
  );
}
