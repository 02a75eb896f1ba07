"use client";

import { useSyncExternalStore } from "react";
import { formatTime } from "#components/format.ts";

interface LocalTimeProps {
  /** RFC 3339. */
  readonly time: string;
  readonly className?: string;
}

/** `21 Nov 2026, 15:05 CET`, in the browser's time zone. The tooltip shows the same time in UTC. */
export function LocalTime({ time, className }: LocalTimeProps) {
  return (
    <time dateTime={time} title={formatTime(new Date(time))} className={className}>
      {useLocalTime(time)}
    </time>
  );
}

/** `time` as text in the browser's time zone; in UTC until the page is hydrated. */
export function useLocalTime(time: string): string {
  return useSyncExternalStore(
    subscribe,
    () => formatTime(new Date(time), localTimeZone()),
    () => formatTime(new Date(time)),
  );
}

/** A time zone does not change while a page is open. */
const subscribe = () => () => undefined;

let timeZone: string | undefined;

function localTimeZone(): string {
  timeZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  return timeZone;
}
