"use client";

import { useEffect, useState } from "react";
import { isFinal } from "#lib/jobs/state.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import { openEvents } from "./open-events.ts";

/** The path of the endpoints for an account's jobs: events and archives. */
export const jobsPath = "/dashboard/api/jobs";

/**
 * The live state of a job until it is final, starting with `initial`; undefined until it is loaded. `path` is where
 * the events of jobs are.
 */
export function useJobDetails(
  id: string | undefined,
  initial?: JobDetails,
  path = jobsPath,
): JobDetails | undefined {
  const [received, setReceived] = useState<JobDetails>();
  const latest = received?.job.id === id ? received : initial;
  const finished = latest !== undefined && isFinal(latest.job);
  useEffect(() => {
    if (id === undefined || finished) return;
    const close = openEvents(`${path}/${id}/events`, "job", (data) => {
      // Sent by our own server.
      const details = JSON.parse(data) as JobDetails;
      setReceived(details);
      if (isFinal(details.job)) close();
    });
    return close;
  }, [id, finished, path]);
  // The server's newest rendering also knows deleted files and has fresh links.
  return initial && initial.job.id === id && isFinal(initial.job) ? initial : latest;
}
