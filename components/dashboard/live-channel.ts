"use client";

import type { JobSummary } from "#lib/jobs/view/summary.ts";

interface Listener {
  readonly onJobs: (jobs: readonly JobSummary[]) => void;
  /** Ids of jobs that are shown and have not ended: how they stand is asked on every connection. */
  readonly unfinished: () => readonly string[];
}

/** The address of the live channel; see `lib/api/account-events.ts`. */
const address = "/dashboard/events";
const retryMs = 5000;
const maxKnown = 100;

const listeners = new Set<Listener>();
let source: EventSource | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Hears of changes of the account's jobs until the returned function is called. However many
 * listen, a page has one connection, and none while nobody looks at it.
 */
export function listenToJobs(listener: Listener): () => void {
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

/** Opens anew, a moment later, so that all that begin to listen at once share the connection. */
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
  for (const id of [...ids].slice(0, maxKnown)) query.append("job", id);
  const opened = new EventSource(`${address}?${query}`);
  source = opened;
  opened.addEventListener("jobs", ({ data }: MessageEvent<string>) => {
    // Our own route's event: its data is a list of summaries.
    const jobs = JSON.parse(data) as JobSummary[];
    for (const { onJobs } of listeners) onJobs(jobs);
  });
  opened.addEventListener("error", () => {
    // It connects again by itself, except where it was refused.
    if (opened.readyState === EventSource.CLOSED && opened === source) reopenAfter(retryMs);
  });
}
