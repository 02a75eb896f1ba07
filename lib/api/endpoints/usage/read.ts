import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { readUsage as queryUsage } from "#lib/db/queries/usage/usage.ts";
import { offeredPlan, planNames, plans } from "#lib/plans.ts";
import { periodOf } from "#lib/quotas/period.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";

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
  summary: "Read the usage of the current month, UTC.",
  access: "apiKey",
  scope: "account:read",
  responses: { 200: { description: "The usage.", body: usageSchema } },
  async handler({ account }) {
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
