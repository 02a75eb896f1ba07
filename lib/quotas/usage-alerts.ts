import { db } from "#lib/db/client.ts";
import { readUsage } from "#lib/db/queries/usage/usage.ts";
import { findShownAlert } from "#lib/db/queries/usage/usage-alerts.ts";
import { type PlanName, plans } from "#lib/plans.ts";
import { periodOf } from "./period.ts";

/** A reached threshold, for the dashboard. */
export interface ShownAlert {
  readonly period: string;
  readonly threshold: number;
  readonly usedBytes: number;
  readonly includedBytes: number;
}

/** The alert that the dashboard shows; undefined if there is none or it was dismissed. */
export async function readShownAlert(
  account: { readonly id: string; readonly plan: PlanName },
  now: Date,
): Promise<ShownAlert | undefined> {
  const { monthlyBytes: includedBytes } = plans[account.plan];
  if (includedBytes === null) return undefined;
  const period = periodOf(now);
  const [threshold, { usedBytes }] = await Promise.all([
    findShownAlert(db(), account.id, period),
    readUsage(db(), account.id, period),
  ]);
  // After a change to a larger plan, the threshold may not be reached any more.
  const minimum = Math.min(threshold ?? 0, 90);
  if (threshold === undefined || usedBytes * 100 < includedBytes * minimum) return undefined;
  return { period, threshold, usedBytes, includedBytes };
}

/** Formats the month of a time, such as `November`. */
export function formatMonth(time: Date): string {
  return time.toLocaleDateString("en", { month: "long", timeZone: "UTC" });
}

/** The first day of the next period: `1 December (UTC)`. */
export function formatPeriodEnd(time: Date): string {
  const next = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1));
  return `1 ${formatMonth(next)} (UTC)`;
}
