import type { Usage, UsageReportQuery } from "../../../sdk/src/index.ts";
import { UsageError } from "../errors.ts";
import { createClient } from "../settings/client.ts";
import type { Settings } from "../settings/settings.ts";
import { printJson, printLine, printTable } from "../terminal/print.ts";

/** Runs `mediamill usage`, which prints the usage of this month. */
export async function showUsage(settings: Settings, isJson: boolean): Promise<void> {
  const usage: Usage = await createClient(settings).usage();
  if (isJson) return printJson(usage, true);
  const gigabytes = (value: number | null) =>
    value === null
      ? "unlimited"
      : `${value.toLocaleString("en-US", { maximumFractionDigits: 3 })} GB`;
  printTable([
    ["Plan", usage.plan],
    ["Jobs this month", String(usage.total_jobs)],
    ["Used", gigabytes(usage.gb_used)],
    ["Included", gigabytes(usage.gb_included)],
    ["Remaining", gigabytes(usage.gb_remaining)],
  ]);
}

export interface ReportOptions {
  readonly by?: UsageReportQuery["group_by"];
  /** The first day of the report, such as `2026-11-01`. It is included, as is the last one. */
  readonly since?: string;
  readonly until?: string;
  readonly csv?: boolean;
}

/** Runs `mediamill usage --by operation`, which prints a report by groups. */
export async function showUsageReport(
  settings: Settings,
  { by, since, until, csv }: ReportOptions & Required<Pick<ReportOptions, "by">>,
  isJson: boolean,
): Promise<void> {
  const query: UsageReportQuery = {
    group_by: by,
    ...(since ? { created_after: startOfDay("--since", since).toISOString() } : {}),
    ...(until ? { created_before: dayAfter(startOfDay("--until", until)).toISOString() } : {}),
  };
  const client = createClient(settings);
  if (csv) {
    const response = await client.request("/v1/usage", { query: { ...query, format: "csv" } });
    return printLine((await response.text()).trimEnd());
  }
  const report = await client.usageReport(query);
  if (isJson) return printJson(report, true);
  const number = (value: number) => value.toLocaleString("en-US");
  const duration = (ms: number | undefined) => (ms === undefined ? "-" : number(ms));
  const rows = [...report.groups, { ...report.total, group: "Total", name: undefined }];
  printTable([
    [by, "jobs", "completed", "failed", "cancelled", "bytes", "p50 ms", "p95 ms"],
    ...rows.map((row) => [
      row.name ?? row.group,
      number(row.jobs),
      number(row.completed),
      number(row.failed),
      number(row.cancelled),
      number(row.bytes),
      duration(row.duration_p50_ms),
      duration(row.duration_p95_ms),
    ]),
  ]);
}

function startOfDay(option: string, day: string): Date {
  const time = new Date(`${day}T00:00:00Z`);
  if (/^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(time.getTime())) return time;
  throw new UsageError(`${option} must be a day such as 2026-11-01.`);
}

function dayAfter(day: Date): Date {
  return new Date(day.getTime() + 86_400_000);
}
