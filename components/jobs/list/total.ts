import { maxExactTotal } from "#lib/db/queries/jobs/lists.ts";

const numberFormat = new Intl.NumberFormat("en");

/**
 * Formats a total as `1 job`, `26 jobs` or `10,000+ jobs`; totals are exact up to `maxExactTotal`.
 */
export function formatTotal(total: number): string {
  if (total > maxExactTotal) return `${numberFormat.format(maxExactTotal)}+ jobs`;
  return `${numberFormat.format(total)} ${total === 1 ? "job" : "jobs"}`;
}
