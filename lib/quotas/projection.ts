import { secondsUntilPeriodEnds } from "./period.ts";

/** An account that is younger, in days, has no rate yet: its first job would count for a whole month. */
const minAgeDays = 3;

/** Number of the last days from which the daily usage is estimated. */
export const observedDays = 7;
const daySeconds = 86_400;

/**
 * Bytes that the account will have used at the end of the period if it continues as in the last seven
 * days, or since its creation if that is less. Undefined for an account of less than three days.
 *
 * @param dailyBytes usage of each of the last days, ending today
 * @param since when the account was created
 */
export function projectUsage(
  usedBytes: number,
  dailyBytes: readonly number[],
  since: Date,
  now: Date,
): number | undefined {
  const ageDays = (now.getTime() - since.getTime()) / (daySeconds * 1000);
  if (ageDays < minAgeDays) return undefined;
  // Today counts for the part of it that is over.
  const today = (now.getTime() / 1000 / daySeconds) % 1;
  const days = Math.max(1, Math.min(ageDays, observedDays - 1 + today));
  const recent = dailyBytes.slice(-observedDays).reduce((sum, bytes) => sum + bytes, 0);
  return Math.round(usedBytes + (recent / days) * (secondsUntilPeriodEnds(now) / daySeconds));
}
