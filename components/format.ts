const units = ["B", "kB", "MB", "GB", "TB", "PB"] as const;

/** Formats bytes as `1.2 MB`, in decimal units with three significant digits at most. */
export function formatBytes(bytes: number): string {
  // From 999.5 kB on, three digits are those of 1 MB.
  const found = units.findIndex((_, power) => bytes < (power === 0 ? 1000 : 999.5 * 1000 ** power));
  const step = found === -1 ? units.length - 1 : found;
  const value = bytes / 1000 ** step;
  const digits = step === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${Number(value.toFixed(digits))} ${units[step]}`;
}

/** Formats milliseconds as `12 ms`, `3.4 s`, `2 min 5 s` or `1 h 2 min`. */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  const exact = ms / 1000;
  if (exact < 59.95) return `${exact.toFixed(1)} s`;
  const seconds = Math.max(60, exact);
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
  { unit: "day", ms: 86_400_000, until: 31 },
  // The mean of the Gregorian calendar, of which twelve are no less than a year of 365 days.
  { unit: "month", ms: 2_629_746_000, until: 12 },
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
