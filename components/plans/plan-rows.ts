import { describeBytes, type Plan, type PlanName, plans } from "#lib/plans.ts";
import { retentionHours } from "#lib/quotas/retention.ts";

const priorities = ["low", "normal", "high", "highest"] as const;

/** What distinguishes the plans, a row each, in the words that they are sold by. */
export const planRows: readonly {
  readonly label: string;
  readonly show: (plan: Plan) => string;
}[] = [
  { label: "Files a month", show: ({ monthlyBytes }) => showBytes(monthlyBytes) },
  { label: "Largest file", show: ({ maxFileBytes }) => showBytes(maxFileBytes) },
  { label: "Jobs at once", show: ({ jobsAtOnce }) => showCount(jobsAtOnce) },
  { label: "Requests a minute", show: ({ requestsPerMinute }) => showCount(requestsPerMinute) },
  { label: "Priority", show: ({ priority }) => priorities[priority] ?? "" },
  { label: "Files are kept", show: ({ name }) => showHours(retentionHours(name)) },
];

/** What one account's plan gives it. */
export function planFacts(name: PlanName): { label: string; value: string }[] {
  return planRows.map(({ label, show }) => ({ label, value: show(plans[name]) }));
}

function showBytes(bytes: number | null): string {
  return bytes === null ? "unlimited" : describeBytes(bytes);
}

function showCount(count: number | null): string {
  return count === null ? "unlimited" : String(count);
}

/** `7 days`, `36 hours`. */
function showHours(hours: number): string {
  const [count, unit] = hours >= 24 && hours % 24 === 0 ? [hours / 24, "day"] : [hours, "hour"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
