"use client";

import type { JobSummary } from "#lib/jobs/view/summary.ts";

interface JobListener {
  readonly onJobs: (jobs: readonly JobSummary[]) => void;
  /** Ids of the unfinished jobs on the page. Each connection starts with their current state. */
  readonly unfinished: () => readonly string[];
}

/** See `lib/api/endpoints/dashboard/events.ts`. */
const eventsUrl = "/dashboard/api/events";
const retryMs = 5000;
const maxJobIds = 100;

const listeners = new Set<JobListener>();
let source: EventSource | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Calls the listener when jobs of the account change, until the returned function is called. All
 * listeners of a page share one connection. A hidden page has no connection.
 */
export function subscribeToJobs(listener: JobListener): () => void {
  if (listeners.size === 0) document.addEventListener("visibilitychange", reopen);
  listeners.add(listener);
  reopen();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener("visibilitychange", reopen);
    close();
  };
}

/** Reconnects in a later task, so that components that subscribe at the same time share the connection. */
function reopen(): void {
  reopenAfter(0);
}

function reopenAfter(delayMs: number): void {
  close();
  if (document.visibilityState === "visible") timer = setTimeout(open, delayMs);
}

function close(): void {
  clearTimeout(timer);
  source?.close();
  source = undefined;
}

function open(): void {
  const query = new URLSearchParams();
  const ids = new Set([...listeners].flatMap((listener) => listener.unfinished()));
  for (const id of [...ids].slice(0, maxJobIds)) query.append("job", id);
  const opened = new EventSource(`${eventsUrl}?${query}`);
  source = opened;
  opened.addEventListener("jobs", ({ data }: MessageEvent<string>) => {
    // Sent by our own route, whose data is a list of summaries.
    const jobs = JSON.parse(data) as JobSummary[];
    for (const { onJobs } of listeners) onJobs(jobs);
  });
  opened.addEventListener("error", () => {
    // The browser reconnects by itself, except after an error response.
    if (opened.readyState === EventSource.CLOSED && opened === source) reopenAfter(retryMs);
  });
}
