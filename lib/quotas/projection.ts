import { secondsUntilPeriodEnds } from "./period.ts";

/** How many of the last days tell how much an account uses a day. */
const observedDays = 7;
const daySeconds = 86_400;

/**
 * Bytes that the account will have used when the period ends, should it go on as in the last seven
 * days (fewer, where it is younger than that).
 *
 * @param dailyBytes what each of the last days used, today being the last one
 * @param since when the account was made
 */
export function projectUsage(
  usedBytes: number,
  dailyBytes: readonly number[],
  since: Date,
  now: Date,
): number {
  const ageDays = (now.getTime() - since.getTime()) / (daySeconds * 1000);
  // Today has only begun: it counts for the part that is over.
  const today = (now.getTime() / 1000 / daySeconds) % 1;
  const days = Math.max(1, Math.min(ageDays, observedDays - 1 + today));
  const recent = dailyBytes.slice(-observedDays).reduce((sum, bytes) => sum + bytes, 0);
  return Math.round(usedBytes + (recent / days) * (secondsUntilPeriodEnds(now) / daySeconds));
}
