"use client";

import { useSyncExternalStore } from "react";
import { formatAgo, formatTime } from "#components/format.ts";

interface TimeAgoProps {
  /** RFC 3339. */
  readonly time: string;
  /** When the server made the page, RFC 3339: the first drawing must agree with its own. */
  readonly now: string;
}

const tickMs = 10_000;
let present = 0;
const listeners = new Set<() => void>();
let ticker: ReturnType<typeof setInterval> | undefined;

/** One clock for all that show how long ago something was. */
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
  present = Date.now();
  for (const listener of listeners) listener();
}

function readClock(): number {
  if (present === 0 || !ticker) present = Date.now();
  return present;
}

/** `5 minutes ago`, which goes on counting; the moment itself on hovering. */
export function TimeAgo({ time, now }: TimeAgoProps) {
  const clock = useSyncExternalStore(subscribe, readClock, () => Date.parse(now));
  const moment = new Date(time);
  // The server's clock may be a little ahead of the browser's: nothing that was, is to come.
  const wasBefore = moment.getTime() <= Date.parse(now);
  const reference = new Date(wasBefore ? Math.max(clock, moment.getTime()) : clock);
  return (
    <time dateTime={time} title={formatTime(moment)} className="whitespace-nowrap">
      {formatAgo(moment, reference)}
    </time>
  );
}
