import { RequestError } from "#lib/errors.ts";
import { readUsageReport } from "#lib/quotas/usage-report.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { rangeOf, reportCsv, reportQuery } from "../usage/report.ts";

export const exportUsage = defineEndpoint({
  method: "GET",
  path: "/dashboard/api/usage/export",
  operationId: "exportUsage",
  tag: "Account",
  summary: "Download a report of the usage page as CSV.",
  internal: true,
  access: "session",
  query: reportQuery,
  responses: {
    200: {
      description: "The report.",
      headers: ["Content-Disposition"],
      content: { "text/csv": { type: "string" } },
    },
  },
  errors: ["invalid_parameter"],
  async handler({ account, query }) {
    const { group_by: dimension } = query;
    if (!dimension) throw new RequestError("invalid_parameter", "`group_by` is missing.");
    const range = rangeOf(query, new Date());
    const report = await readUsageReport(account.id, dimension, range);
    return reportCsv(report, dimension, range, true);
  },
});
