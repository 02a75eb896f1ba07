/** The billing period is the calendar month, UTC. */

/** The period of a time, such as `2026-11`. */
export function periodOf(time: Date): string {
  return time.toISOString().slice(0, 7);
}

/** Whole seconds, at least 1, until the next period starts. */
export function secondsUntilPeriodEnds(time: Date): number {
  const next = Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1);
  return Math.max(1, Math.ceil((next - time.getTime()) / 1000));
}
