const units = ["B", "kB", "MB", "GB", "TB"] as const;

/** Formats bytes as `1.2 MB`, in decimal units with three significant digits at most. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  const digits = step === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${Number(value.toFixed(digits))} ${units[step]}`;
}

/** Formats milliseconds as `12 ms`, `3.4 s`, `2 min 5 s` or `1 h 2 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * Formats a time as `21 Nov 2026, 14:05 UTC`. The text is the same on server and client, unless
 * `timeZone` differs.
 */
export function formatTime(time: Date, timeZone = "UTC"): string {
  return time.toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
    timeZoneName: "short",
  });
}

const relativeTime = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

const steps = [
  { unit: "second", ms: 1000, until: 60 },
  { unit: "minute", ms: 60_000, until: 60 },
  { unit: "hour", ms: 3_600_000, until: 24 },
  { unit: "day", ms: 86_400_000, until: 30 },
  { unit: "month", ms: 2_592_000_000, until: 12 },
  { unit: "year", ms: 31_536_000_000, until: Number.POSITIVE_INFINITY },
] as const;

/**
 * Formats a time as `5 minutes ago` or `in 3 days`; `now` is an argument so that server and client
 * agree.
 */
export function formatAgo(time: Date, now: Date): string {
  const distanceMs = time.getTime() - now.getTime();
  for (const { unit, ms, until } of steps) {
    const count = Math.trunc(distanceMs / ms);
    if (Math.abs(count) < until) return relativeTime.format(count, unit);
  }
  return "";
}
