"use client";

import { useEffect, useEffectEvent, useMemo, useState } from "react";
import type { JobSummary } from "#lib/jobs/view/summary.ts";
import { listenToJobs } from "./live-channel.ts";
import { isEnded, mergeJobs } from "./merge-jobs.ts";

interface LiveJobsOptions {
  /** Whether a job that is not in `initial` belongs to the list; without it none does. */
  readonly admit?: (job: JobSummary) => boolean;
  /** How many jobs the list has at most; the oldest go. Default: as many as there are. */
  readonly limit?: number;
  /** Called for each job that is new, or has ended, since the page was made. */
  readonly onTurn?: (job: JobSummary) => void;
}

/**
 * The jobs of `initial` (what the server has just rendered, newest first) as they stand now: their
 * states and progress move while the page is looked at, and jobs that are new and that `admit` lets
 * in appear at the top. A job that no longer fits a filter stays until the server renders anew.
 *
 * ```tsx
 * const jobs = useLiveJobs(initial, { admit: ({ operation }) => operation === chosen, limit: 20 });
 * ```
 *
 * Everything arrives over one connection of the page, however many components use the hook.
 */
export function useLiveJobs(
  initial: readonly JobSummary[],
  { admit, limit, onTurn }: LiveJobsOptions = {},
): readonly JobSummary[] {
  const [live, setLive] = useState<ReadonlyMap<string, JobSummary>>(new Map());
  const jobs = useMemo(
    () => mergeJobs(initial, live, { admit, limit }),
    [initial, live, admit, limit],
  );
  const onJobs = useEffectEvent((changed: readonly JobSummary[]) => {
    const newest = jobs[0]?.createdAt ?? "";
    for (const job of changed) {
      const before = live.get(job.id) ?? initial.find(({ id }) => id === job.id);
      const turned = before ? !isEnded(before) && isEnded(job) : job.createdAt > newest;
      if (turned) onTurn?.(job);
    }
    setLive((known) => new Map([...known, ...changed.map((job) => [job.id, job] as const)]));
  });
  const unfinished = useEffectEvent(() => jobs.filter((job) => !isEnded(job)).map(({ id }) => id));
  useEffect(
    () =>
      listenToJobs({
        onJobs: (changed) => onJobs(changed),
        unfinished: () => unfinished(),
      }),
    [],
  );
  return jobs;
}
