import { isFinal } from "#lib/jobs/state.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import { openEvents } from "./open-events.ts";
import { jobsPath } from "./use-job-details.ts";

/**
 * Follows a job until it is final, also while the page is in the background. Resolves with undefined if the signal is
 * aborted, or if the job is deleted or the session ends before.
 */
export function followJob(
  id: string,
  signal: AbortSignal,
  onPercent?: (percent: number) => void,
): Promise<JobDetails | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  const { promise, resolve } = Promise.withResolvers<JobDetails | undefined>();
  const onData = (data: string) => {
    // Sent by our own server.
    const details = JSON.parse(data) as JobDetails;
    if (isFinal(details.job)) finish(details);
    else onPercent?.(details.job.progress);
  };
  const stop = () => finish(undefined);
  const close = openEvents(`${jobsPath}/${id}/events`, "job", onData, stop);
  signal.addEventListener("abort", stop, { once: true });
  function finish(details: JobDetails | undefined) {
    close();
    signal.removeEventListener("abort", stop);
    resolve(details);
  }
  return promise;
}
