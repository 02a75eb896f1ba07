import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { findJobs } from "#lib/db/queries/jobs/jobs.ts";
import { readAllJobs } from "#lib/db/queries/jobs/lists.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId, jobIdPattern } from "../../definition/parameters.ts";
import { readArchive } from "../jobs/archive.ts";
import { requireJob } from "../jobs/find-job.ts";
import { outputErrors } from "../jobs/outputs-of-job.ts";
import { zipBatch, zipJobs, zipOutputs } from "../jobs/zip-outputs.ts";

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

/** The jobs of a batch that are read at once. */
const batchPage = 500;

export const readArchiveOfJobs = defineEndpoint({
  method: "GET",
  path: "/dashboard/api/jobs/archive",
  operationId: "readArchiveOfJobs",
  tag: "Jobs",
  summary: "Download the outputs of several jobs as one ZIP.",
  description:
    "The jobs named by `?job=`, each in a folder; or those of the batch named by `?batch=`, in the folders of their inputs.",
  internal: true,
  access: "session",
  responses: readArchive.responses,
  errors: ["invalid_parameter", "conflict"],
  handler: async ({ account, url }) => {
    const batch = url.searchParams.get("batch");
    if (batch !== null) return zipBatch(await findBatch(account.id, batch));
    const ids = url.searchParams.getAll("job").filter((id) => jobIdPattern.test(id));
    if (ids.length < 1 || ids.length > maxJobs) {
      const message = `\`job\` must be given 1 to ${maxJobs} times, each with the id of a job.`;
      throw new RequestError("invalid_parameter", message);
    }
    return zipJobs(await findJobs(db(), account.id, ids));
  },
});

const batchId = /^batch-[0-9a-f-]{36}$/;

/** The completed jobs of a batch, in the order in which they were created. */
async function findBatch(accountId: string, batch: string): Promise<JobRow[]> {
  if (!batchId.test(batch)) {
    throw new RequestError("invalid_parameter", "`batch` must be the id of a batch.");
  }
  const filter = { status: "completed", metadata: { batch } } as const;
  const rows: JobRow[] = [];
  for await (const page of readAllJobs(db(), accountId, filter, batchPage)) rows.push(...page);
  return rows.reverse();
}
