import { adviseOn, failsAgain } from "#components/jobs/failure-advice.ts";
import type { HostUploads } from "#lib/jobs/accept/host-uploads.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import type { RawResponse } from "../form/raw-response.ts";
import { type RunRequest, type RunResponse, sendRun } from "../form/send-run.ts";
import type { BatchError } from "./batch.ts";
import type { Sent } from "./run-batch.ts";

/** The wait if the service names none, in seconds. */
const defaultWait = 5;

/** Sends a file of a batch. */
export async function sendItem(
  request: RunRequest,
  uploads: HostUploads,
  signal: AbortSignal,
  onPercent: (percent: number) => void,
): Promise<Sent> {
  const response = await sendRun(request, uploads, signal, (sent, total) =>
    onPercent(total === 0 ? 0 : (100 * sent) / total),
  );
  return readSent(response);
}

/** What a response means for the file and for the rest of the batch. */
export function readSent(response: RunResponse): Sent {
  if (response.kind === "accepted") return { kind: "accepted", jobId: response.job.id };
  // Without a response, only the connection can be the reason.
  if (response.kind === "aborted" || (!response.response && response.code === null)) {
    return { kind: "lost" };
  }
  const { message, code } = response;
  const status = response.response?.status ?? 400;
  const seconds = retryAfter(response.response);
  if (status === 429 && code !== "usage_limit_reached") {
    return { kind: "wait", message, seconds: seconds ?? defaultWait };
  }
  // The first attempt, whose connection was lost, is still being received.
  if (status === 409 && seconds !== undefined) return { kind: "wait", message, seconds };
  if (status >= 500 && (seconds !== undefined || status === 502 || status === 504)) {
    return { kind: "wait", message, seconds: seconds ?? defaultWait };
  }
  const stops = ["usage_limit_reached", "unauthorized", "forbidden", "not_available"];
  if (code !== null && stops.includes(code)) return { kind: "stop", message };
  return { kind: "rejected", error: { message, isFinal: status < 500 } };
}

/** The seconds in `Retry-After`; undefined if it is missing. */
function retryAfter(response: RawResponse | undefined): number | undefined {
  const [, seconds] = /^retry-after:\s*(\d+)/im.exec(response?.headers ?? "") ?? [];
  return seconds === undefined ? undefined : Math.max(1, Number(seconds));
}

/** What to say about a job that has failed. */
export function explainFailure({ job }: JobDetails): BatchError {
  const message = job.error ?? "The job failed.";
  const advice = job.error_code ? adviseOn(job.error_code, message) : undefined;
  return { message, advice, isFinal: failsAgain(job.error_code) };
}

/** Waits, or until the signal is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
