import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { readUsage as queryUsage } from "#lib/db/queries/usage/usage.ts";
import { usageDimensions } from "#lib/db/queries/usage/usage-groups.ts";
import { RequestError } from "#lib/errors.ts";
import { offeredPlan, planNames, plans } from "#lib/plans.ts";
import { periodOf } from "#lib/quotas/period.ts";
import { readUsageReport } from "#lib/quotas/usage-report.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { rangeOf, reportCsv, reportQuery, reportSchema, serializeReport } from "./report.ts";

const gigabyte = 10 ** 9;
const gigabytes = z.number().min(0);

const usageSchema = z
  .strictObject({
    plan: z.enum(planNames),
    gb_used: gigabytes.describe("1 GB is 10⁹ bytes; exact to the byte."),
    gb_included: gigabytes.nullable().describe("Null is unlimited."),
    gb_remaining: gigabytes.nullable().describe("Null is unlimited."),
    total_jobs: z.number().int().min(0).describe("Jobs accepted this month, with any status."),
  })
  .meta({ id: "Usage", description: "The usage of the current month." });

export const readUsage = defineEndpoint({
  method: "GET",
  path: "/v1/usage",
  operationId: "readUsage",
  tag: "Account",
  summary:
    "Read the usage of the current month, UTC, or a report by operation, key, day or error code.",
  description:
    "A report with `group_by` has the jobs that were created in a range of days, of at most a year. Records that are deleted because of their age stay counted.",
  access: "apiKey",
  scope: "account:read",
  query: reportQuery,
  responses: {
    200: {
      description: "The usage, or the report.",
      body: z.union([usageSchema, reportSchema]),
      content: { "text/csv": { type: "string" } },
    },
  },
  errors: ["invalid_parameter"],
  async handler({ account, query }) {
    const { group_by: dimension } = query;
    if (dimension !== undefined) {
      const range = rangeOf(query, new Date());
      const report = await readUsageReport(account.id, dimension, range);
      return query.format === "csv"
        ? reportCsv(report, dimension, range)
        : serializeReport(report, dimension, range);
    }
    const [needless] = Object.keys(query);
    if (needless !== undefined) {
      const message = `\`${needless}\` needs \`group_by\`: ${usageDimensions.join(", ")}.`;
      throw new RequestError("invalid_parameter", message);
    }
    const { monthlyBytes } = plans[account.plan];
    const { usedBytes, totalJobs } = await queryUsage(db(), account.id, periodOf(new Date()));
    const remaining = monthlyBytes === null ? null : Math.max(0, monthlyBytes - usedBytes);
    return {
      plan: offeredPlan(account.plan),
      gb_used: usedBytes / gigabyte,
      gb_included: monthlyBytes === null ? null : monthlyBytes / gigabyte,
      gb_remaining: remaining === null ? null : remaining / gigabyte,
      total_jobs: totalJobs,
    };
  },
});
