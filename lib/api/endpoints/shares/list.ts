import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { listShares } from "#lib/db/queries/files/shares.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId } from "../../definition/parameters.ts";
import { requireJob } from "../jobs/find-job.ts";
import { serializeShare, shareSchema } from "./share-entry.ts";

export const listSharesOfJob = defineEndpoint({
  method: "GET",
  path: "/dashboard/api/jobs/{id}/shares",
  operationId: "listSharesOfJob",
  tag: "Jobs",
  summary: "List the public pages of a job's result, newest first.",
  internal: true,
  access: "session",
  params: z.strictObject({ id: jobId }),
  responses: {
    200: {
      description: "The shares that have not expired.",
      body: z.strictObject({ shares: z.array(shareSchema) }),
    },
  },
  errors: ["not_found"],
  async handler(context) {
    const job = await requireJob(context);
    const shares = await listShares(db(), context.account.id, job.id);
    return { shares: shares.map(serializeShare) };
  },
});
