"use client";

import { useSyncExternalStore } from "react";
import { formatAgo, formatTime } from "#components/format.ts";

interface TimeAgoProps {
  /** RFC 3339. */
  readonly time: string;
  /** When the server rendered the page, RFC 3339: hydration must produce the same text. */
  readonly now: string;
}

const tickMs = 10_000;
let currentMs = 0;
const listeners = new Set<() => void>();
let ticker: ReturnType<typeof setInterval> | undefined;

/** All instances on a page share one timer. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  ticker ??= setInterval(tick, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(ticker);
    ticker = undefined;
  };
}

function tick(): void {
  currentMs = Date.now();
  for (const listener of listeners) listener();
}

function readClock(): number {
  if (currentMs === 0 || !ticker) currentMs = Date.now();
  return currentMs;
}

/** `5 minutes ago`, updated while the page is open. The tooltip shows the exact time. */
export function TimeAgo({ time, now }: TimeAgoProps) {
  const clock = useSyncExternalStore(subscribe, readClock, () => Date.parse(now));
  const date = new Date(time);
  // The server's clock may be ahead of the browser's: a past time must not show as a future one.
  const isPast = date.getTime() <= Date.parse(now);
  const reference = new Date(isPast ? Math.max(clock, date.getTime()) : clock);
  return (
    <time dateTime={time} title={formatTime(date)} className="whitespace-nowrap">
      {formatAgo(date, reference)}
    </time>
  );
}
