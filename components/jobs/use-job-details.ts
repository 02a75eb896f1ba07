"use client";

import { useEffect, useState } from "react";
import { isFinal } from "#lib/jobs/state.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";

/** The path of the endpoints for an account's jobs: events and archives. */
export const jobsPath = "/dashboard/api/jobs";

const retryMs = 5000;

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
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout>;
    const open = () => {
      source = new EventSource(`${path}/${id}/events`);
      source.addEventListener("job", (event) => {
        // Sent by our own server.
        const details = JSON.parse(event.data) as JobDetails;
        setReceived(details);
        if (isFinal(details.job)) source.close();
      });
      source.addEventListener("error", () => {
        // The browser reconnects by itself, except after an error response, such as that of a proxy.
        if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, retryMs);
      });
    };
    open();
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [id, finished, path]);
  // The server's newest rendering also knows deleted files and has fresh links.
  return initial && initial.job.id === id && isFinal(initial.job) ? initial : latest;
}
