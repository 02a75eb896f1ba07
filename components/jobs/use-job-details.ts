"use client";

import { useEffect, useState } from "react";
import { isFinal } from "#lib/jobs/state.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";

/** The live state of a job until it is final, starting with `initial`; undefined until it is loaded. */
export function useJobDetails(
  id: string | undefined,
  initial?: JobDetails,
): JobDetails | undefined {
  const [received, setReceived] = useState<JobDetails>();
  const latest = received?.job.id === id ? received : initial;
  const finished = latest !== undefined && isFinal(latest.job);
  useEffect(() => {
    if (id === undefined || finished) return;
    const source = new EventSource(`/dashboard/jobs/${id}/events`);
    source.addEventListener("job", (event) => {
      // Sent by our own server.
      const details = JSON.parse(event.data) as JobDetails;
      setReceived(details);
      if (isFinal(details.job)) source.close();
    });
    return () => source.close();
  }, [id, finished]);
  // The server's newest rendering also knows deleted files and has fresh links.
  return initial && initial.job.id === id && isFinal(initial.job) ? initial : latest;
}
