import { z } from "zod";
import { waitForJob } from "#lib/jobs/follow/events.ts";
import { jobSchema, serializeJob } from "#lib/jobs/view/job.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId, waitSeconds } from "../../definition/parameters.ts";
import { holdWait } from "../../http/slots/wait-slots.ts";
import { waitWhileGranted } from "../../http/streams/grants.ts";
import { noSuchJob, requireJob } from "./find-job.ts";

export const readJob = defineEndpoint({
  method: "GET",
  path: "/v1/jobs/{id}",
  operationId: "readJob",
  tag: "Jobs",
  summary: "Read a job, at once or when it has ended.",
  description: "An account can have 300 requests with `wait` open at a time.",
  access: "apiKey",
  scope: "jobs:read",
  forTokens: true,
  params: z.strictObject({ id: jobId }),
  query: z.strictObject({ wait: waitSeconds }),
  responses: { 200: { description: "The job.", body: jobSchema } },
  errors: ["rate_limited"],
  async handler(context) {
    const { account, params } = context;
    const { wait } = context.query;
    const job = await requireJob(context);
    if (wait === undefined) return serializeJob(job);
    const latest = await holdWait(account.id, () =>
      waitWhileGranted(context, (signal) => waitForJob(account.id, params.id, wait, signal)),
    );
    if (!latest) throw noSuchJob();
    return serializeJob(latest);
  },
});
