"use client";

import { useEffect, useEffectEvent } from "react";
import type { JobActionHandlers } from "#components/jobs/job-actions.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { useLazyComponent } from "#components/ui/use-lazy-component.ts";

const load = () =>
  import("#components/playground/job-result.tsx").then((module) => module.JobResult);

interface FirstResultProps {
  /** The ID of the job. */
  readonly id: string;
  readonly cancel: JobActionHandlers["cancel"];
}

/** The progress and the result of the first job. Its script is loaded when there is a job. */
export function FirstResult({ id, cancel }: FirstResultProps) {
  const { Component: JobResult, show } = useLazyComponent(load);
  const showResult = useEffectEvent(show);
  useEffect(() => showResult(), []);
  if (!JobResult) return <Skeleton className="h-40 w-full" />;
  return <JobResult key={id} id={id} cancel={cancel} />;
}
