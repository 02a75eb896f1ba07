import { formatPlanBytes, type Plan } from "#lib/plans.ts";
import { retentionHours } from "#lib/quotas/retention.ts";

const priorities = ["low", "normal", "high", "highest"] as const;

/** The limits that differ between plans, one per row. */
export const planRows: readonly {
  readonly label: string;
  readonly show: (plan: Plan) => string;
}[] = [
  { label: "Data per month", show: ({ monthlyBytes }) => showBytes(monthlyBytes) },
  { label: "Maximum file size", show: ({ maxFileBytes }) => showBytes(maxFileBytes) },
  { label: "Concurrent jobs", show: ({ concurrentJobs }) => showCount(concurrentJobs) },
  { label: "Requests per minute", show: ({ requestsPerMinute }) => showCount(requestsPerMinute) },
  { label: "Priority", show: ({ priority }) => priorities[priority] ?? "" },
  { label: "File retention", show: ({ name }) => showHours(retentionHours(name)) },
];

function showBytes(bytes: number | null): string {
  return bytes === null ? "unlimited" : formatPlanBytes(bytes);
}

function showCount(count: number | null): string {
  return count === null ? "unlimited" : String(count);
}

/** Formats hours as `7 days` or `36 hours`. */
function showHours(hours: number): string {
  const [count, unit] = hours >= 24 && hours % 24 === 0 ? [hours / 24, "day"] : [hours, "hour"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
