import { z } from "zod";
import { dayOf } from "#lib/db/queries/usage/usage-days.ts";
import {
  type DayRange,
  type UsageDimension,
  type UsageTotal,
  usageDimensions,
} from "#lib/db/queries/usage/usage-groups.ts";
import { type JobErrorCode, jobErrorCodes, RequestError } from "#lib/errors.ts";
import { writeRow } from "#lib/formats/csv/csv.ts";
import {
  addDays,
  countDays,
  maxReportDays,
  type ReportGroup,
  type UsageReport,
} from "#lib/quotas/usage-report.ts";
import { timeText } from "../../definition/parameters.ts";

const startOfDay = timeText.refine(
  (time) => time.getTime() % 86_400_000 === 0,
  "must be the start of a day in UTC, such as 2026-11-20T00:00:00Z",
);

/** The query of a report. */
export const reportQuery = z.strictObject({
  group_by: z
    .enum(usageDimensions)
    .optional()
    .describe("What the groups of the report are. Without it, the usage of the month is returned."),
  created_after: startOfDay
    .optional()
    .describe(
      "Only jobs created on this day or later: the start of a day in UTC. By default the first day of this month. Needs `group_by`.",
    ),
  created_before: startOfDay
    .optional()
    .describe(
      `Only jobs created before this day: the start of a day in UTC, at most ${maxReportDays} days after \`created_after\`. By default tomorrow. Needs \`group_by\`.`,
    ),
  format: z
    .enum(["json", "csv"])
    .optional()
    .describe("The format of the report, by default `json`. Needs `group_by`."),
});

export type ReportQuery = z.output<typeof reportQuery>;

const count = z.number().int().min(0);
const milliseconds = count.optional();

const counts = {
  jobs: count.describe("Accepted jobs, with any status. By error code, the failed ones."),
  completed: count,
  failed: count,
  cancelled: count,
  bytes: count.describe(
    "Bytes of input of the completed jobs, and of what their files loaded from the network, as counted against the plan.",
  ),
  duration_p50_ms: milliseconds.describe(
    "How long a completed job took in the median, from its acceptance to its end; by error code, a failed job. Within 2.5 %. Absent if there is none.",
  ),
  duration_p95_ms: milliseconds.describe("95 of 100 jobs took no longer. Within 2.5 %."),
  errors: z
    .array(z.strictObject({ error_code: z.enum(jobErrorCodes), jobs: count }))
    .describe("Failed jobs by error code, the most frequent first."),
};

const time = z.iso.datetime({ precision: 3 });

export const reportSchema = z
  .strictObject({
    group_by: z.enum(usageDimensions),
    created_after: time,
    created_before: time,
    total: z
      .strictObject(counts)
      .describe("All jobs of the range; by error code, the failed ones."),
    groups: z
      .array(
        z.strictObject({
          group: z
            .string()
            .describe(
              "The id of an operation, the id of an API key (`dashboard`: created without one), a day such as 2026-11-20, or an error code.",
            ),
          name: z.string().optional().describe("The name of the API key."),
          ...counts,
        }),
      )
      .describe("The group with the most jobs first; days in their order, with zeros."),
  })
  .meta({ id: "UsageReport", description: "Jobs by operation, API key, day or error code." });

/** The days of a query. Throws `invalid_parameter`. */
export function rangeOf(query: ReportQuery, now: Date): DayRange {
  const end = query.created_before ? dayOf(query.created_before) : addDays(dayOf(now), 1);
  const monthStart = `${addDays(end, -1).slice(0, 7)}-01`;
  const range = { first: query.created_after ? dayOf(query.created_after) : monthStart, end };
  const days = countDays(range);
  if (days >= 1 && days <= maxReportDays) return range;
  throw new RequestError(
    "invalid_parameter",
    `\`created_before\` must be 1 to ${maxReportDays} days after \`created_after\`.`,
  );
}

export function serializeReport(
  report: UsageReport,
  dimension: UsageDimension,
  { first, end }: DayRange,
): z.input<typeof reportSchema> {
  return {
    group_by: dimension,
    created_after: `${first}T00:00:00.000Z`,
    created_before: `${end}T00:00:00.000Z`,
    total: serializeCounts(report.total),
    groups: report.groups.map((one) => ({
      group: one.group,
      ...(one.name === undefined ? {} : { name: one.name }),
      ...serializeCounts(one),
    })),
  };
}

function serializeCounts(total: UsageTotal) {
  const { jobs, completed, failed, cancelled, usedBytes, p50Ms, p95Ms, errors } = total;
  return {
    jobs,
    completed,
    failed,
    cancelled,
    bytes: usedBytes,
    ...(p50Ms === undefined ? {} : { duration_p50_ms: p50Ms }),
    ...(p95Ms === undefined ? {} : { duration_p95_ms: p95Ms }),
    // A job's code was one of the table when the job ended.
    errors: errors.map(({ code, jobs }) => ({ error_code: code as JobErrorCode, jobs })),
  };
}

/** The columns of a CSV file after the first, which is the group. */
const columns: Readonly<Record<string, (group: ReportGroup) => string | number | null>> = {
  jobs: ({ jobs }) => jobs,
  completed: ({ completed }) => completed,
  failed: ({ failed }) => failed,
  cancelled: ({ cancelled }) => cancelled,
  bytes: ({ usedBytes }) => usedBytes,
  duration_p50_ms: ({ p50Ms }) => p50Ms ?? null,
  duration_p95_ms: ({ p95Ms }) => p95Ms ?? null,
  errors: ({ errors }) => errors.map(({ code, jobs }) => `${code}: ${jobs}`).join("; "),
};

/** A report as CSV: a row for each group. `isFile`: a browser saves it. */
export function reportCsv(
  { groups }: UsageReport,
  dimension: UsageDimension,
  { first, end }: DayRange,
  isFile = false,
): Response {
  const name = dimension === "key" ? { name: (one: ReportGroup) => one.name ?? null } : {};
  const shown = { ...name, ...columns };
  const rows = groups.map((one) => [one.group, ...Object.values(shown).map((read) => read(one))]);
  const text = [[dimension, ...Object.keys(shown)], ...rows].map(writeRow).join("");
  const filename = `usage-by-${dimension.replace("_", "-")}-${first}-to-${addDays(end, -1)}.csv`;
  return new Response(text, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      ...(isFile ? { "Content-Disposition": `attachment; filename="${filename}"` } : {}),
    },
  });
}
