"use client";

import { useSyncExternalStore } from "react";
import { formatAgo } from "#components/format.ts";
import { useLocalTime } from "./local-time.tsx";

interface TimeAgoProps {
  /** RFC 3339. */
  readonly time: string;
  /** When the server rendered the page, RFC 3339: hydration must produce the same text. */
  readonly now: string;
  /** The time is planned and may be in the future. All other times have passed, even if the browser's clock is behind. */
  readonly isPlanned?: boolean;
}

const tickMs = 1000;
let currentMs = 0;
const listeners = new Set<() => void>();
let ticker: ReturnType<typeof setInterval> | undefined;

/** All instances on a page share one timer. Each is rendered only when its text changes. */
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
export function TimeAgo({ time, now, isPlanned = false }: TimeAgoProps) {
  const date = new Date(time);
  const write = (clockMs: number) =>
    formatAgo(date, new Date(isPlanned ? clockMs : Math.max(clockMs, date.getTime())));
  const text = useSyncExternalStore(
    subscribe,
    () => write(readClock()),
    () => write(Date.parse(now)),
  );
  return (
    <time dateTime={time} title={useLocalTime(time)} className="whitespace-nowrap">
      {text}
    </time>
  );
}
