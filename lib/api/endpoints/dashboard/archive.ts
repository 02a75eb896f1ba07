import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { findJobs } from "#lib/db/queries/jobs/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId, jobIdPattern } from "../../definition/parameters.ts";
import { readArchive } from "../jobs/archive.ts";
import { requireJob } from "../jobs/find-job.ts";
import { outputErrors } from "../jobs/outputs-of-job.ts";
import { zipJobs, zipOutputs } from "../jobs/zip-outputs.ts";

export const readArchiveInDashboard = defineEndpoint({
  method: "GET",
  path: "/dashboard/api/jobs/{id}/archive",
  operationId: "readArchiveInDashboard",
  tag: "Jobs",
  summary: readArchive.summary,
  internal: true,
  access: "session",
  params: z.strictObject({ id: jobId }),
  responses: readArchive.responses,
  errors: outputErrors,
  handler: async (context) => zipOutputs(await requireJob(context)),
});

/** The most jobs whose outputs are in one ZIP. */
const maxJobs = 100;

export const readArchiveOfJobs = defineEndpoint({
  method: "GET",
  path: "/dashboard/api/jobs/archive",
  operationId: "readArchiveOfJobs",
  tag: "Jobs",
  summary: "Download the outputs of the jobs named by `?job=` as one ZIP.",
  internal: true,
  access: "session",
  responses: readArchive.responses,
  errors: ["invalid_parameter", "conflict"],
  handler: async ({ account, url }) => {
    const ids = url.searchParams.getAll("job").filter((id) => jobIdPattern.test(id));
    if (ids.length < 1 || ids.length > maxJobs) {
      const message = `\`job\` must be given 1 to ${maxJobs} times, each with the id of a job.`;
      throw new RequestError("invalid_parameter", message);
    }
    return zipJobs(await findJobs(db(), account.id, ids));
  },
});
