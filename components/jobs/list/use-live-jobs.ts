"use client";

import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { isFinal } from "#lib/jobs/state.ts";
import type { JobSummary } from "#lib/jobs/view/summary.ts";
import { subscribeToJobs } from "../live-channel.ts";
import { mergeJobs } from "./merge-jobs.ts";

interface LiveJobsOptions {
  /** Whether a job that is not in `initial` belongs to the list. Default: no new job does. */
  readonly includeNew?: (job: JobSummary) => boolean;
  /** The maximum length of the list; the oldest jobs are dropped. Default: no limit. */
  readonly limit?: number;
  /**
   * The function that is called for each job that was created or became final since the server
   * rendered the page.
   */
  readonly onCreatedOrFinal?: (job: JobSummary) => void;
}

/**
 * The jobs in `initial` (rendered by the server, newest first) with live status and progress. New
 * jobs that `includeNew` accepts appear at the top. A job that no longer matches a filter stays
 * until the server renders the page again.
 *
 * ```tsx
 * const jobs = useLiveJobs(initial, { includeNew: ({ operation }) => operation === id, limit: 20 });
 * ```
 *
 * All components of a page that use the hook share one connection.
 */
export function useLiveJobs(
  initial: readonly JobSummary[],
  { includeNew, limit, onCreatedOrFinal }: LiveJobsOptions = {},
): readonly JobSummary[] {
  const [live, setLive] = useState<ReadonlyMap<string, JobSummary>>(new Map());
  const jobs = useMemo(
    () => mergeJobs(initial, live, { includeNew, limit }),
    [initial, live, includeNew, limit],
  );
  const onJobs = useEffectEvent((changed: readonly JobSummary[]) => {
    const newest = jobs[0]?.createdAt ?? "";
    for (const job of changed) {
      const before = live.get(job.id) ?? initial.find(({ id }) => id === job.id);
      const isCreatedOrFinal = before ? !isFinal(before) && isFinal(job) : job.createdAt > newest;
      if (isCreatedOrFinal) onCreatedOrFinal?.(job);
    }
    setLive((known) => new Map([...known, ...changed.map((job) => [job.id, job] as const)]));
  });
  const unfinished = useEffectEvent(() => jobs.filter((job) => !isFinal(job)).map(({ id }) => id));
  useEffect(
    () =>
      subscribeToJobs({
        onJobs: (changed) => onJobs(changed),
        unfinished: () => unfinished(),
      }),
    [],
  );
  return jobs;
}
