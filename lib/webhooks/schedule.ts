const second = 1;
const minute = 60 * second;
const hour = 60 * minute;

/** Delays before the second and every further attempt, as Standard Webhooks recommends. */
const delays = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** The maximum `Retry-After` of a receiver that is respected. */
const maxRetryAfter = 24 * hour;

/**
 * Seconds until the next attempt after `attempts` have failed, with up to 10 % of jitter, or the
 * receiver's `Retry-After` (seconds or a date) if that is later. Null: no further attempt.
 */
export function nextAttemptDelay(attempts: number, retryAfter: string | null): number | null {
  const delay = delays[attempts - 1];
  if (delay === undefined) return null;
  const jittered = delay * (1 + Math.random() / 10);
  return Math.max(jittered, Math.min(parseRetryAfter(retryAfter), maxRetryAfter));
}

/**
 * Parses the seconds of `Retry-After`; 0 for anything that is neither a number nor a date in the
 * future.
 */
function parseRetryAfter(text: string | null): number {
  if (!text) return 0;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}
