import { z } from "zod";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId } from "../../definition/parameters.ts";
import { deleteAccountJob } from "./job-actions.ts";

export const deleteJob = defineEndpoint({
  method: "DELETE",
  path: "/v1/jobs/{id}",
  operationId: "deleteJob",
  tag: "Jobs",
  summary: "Delete the files of a job that has ended.",
  description: "The record of the job remains, without files.",
  access: "apiKey",
  scope: "jobs:write",
  forTokens: true,
  params: z.strictObject({ id: jobId }),
  responses: { 204: { description: "The files are deleted." } },
  errors: ["conflict"],
  async handler(context) {
    await deleteAccountJob(context);
    return undefined;
  },
});
