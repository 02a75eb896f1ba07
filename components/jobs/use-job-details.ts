"use client";

import { useEffect, useState } from "react";
import { isEnded } from "#components/dashboard/merge-jobs.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";

/**
 * A job as it stands now, from `initial` on; undefined until something is known of it. It is
 * followed until its end.
 */
export function useJobDetails(
  id: string | undefined,
  initial?: JobDetails,
): JobDetails | undefined {
  const [told, setTold] = useState<JobDetails>();
  const known = told?.job.id === id ? told : initial;
  const ended = known !== undefined && isEnded(known.job);
  useEffect(() => {
    if (id === undefined || ended) return;
    const source = new EventSource(`/dashboard/jobs/${id}/events`);
    source.addEventListener("job", (event) => {
      // Our own server's event.
      const details = JSON.parse(event.data) as JobDetails;
      setTold(details);
      if (isEnded(details.job)) source.close();
    });
    return () => source.close();
  }, [id, ended]);
  // What the server has rendered anew knows more: files that are gone, links that are fresh.
  return initial && initial.job.id === id && isEnded(initial.job) ? initial : known;
}
