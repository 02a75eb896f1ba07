import { z } from "zod";
import { maxShares } from "#lib/db/queries/files/shares.ts";
import { RequestError } from "#lib/errors.ts";
import { shareDays, shareJob } from "#lib/jobs/actions/share.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId } from "../../definition/parameters.ts";
import { requireJob } from "../jobs/find-job.ts";
import { outputErrors, requireOutputs } from "../jobs/outputs-of-job.ts";
import { serializeShare, shareSchema } from "./share-entry.ts";

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(max, `must have at most ${max} characters`)
    .regex(/^\P{Cc}*$/u, "must be one line of text");

const body = z.strictObject({
  days: z
    .union(
      shareDays.map((days) => z.literal(days)),
      `must be one of ${shareDays.join(", ")}`,
    )
    .describe("For how many days; not longer than the job's files are kept."),
  title: line(100).nullable().default(null).describe("The heading of the page."),
  filename: line(80)
    .regex(/^[^/\\:*?"<>|]*$/, 'must not have any of / \\ : * ? " < > |')
    .nullable()
    .default(null)
    .describe("The name of the files, without an extension. Null: neutral names."),
  with_input: z.boolean().default(true).describe("Whether the page also has the input."),
});

export const createShare = defineEndpoint({
  method: "POST",
  path: "/dashboard/api/jobs/{id}/shares",
  operationId: "createShare",
  tag: "Jobs",
  summary: "Share the result of a completed job on a public page.",
  internal: true,
  access: "session",
  params: z.strictObject({ id: jobId }),
  body: { kind: "json", schema: body, example: { days: 7, with_input: true } },
  responses: { 201: { description: "The share.", body: shareSchema } },
  errors: [...outputErrors, "invalid_parameter"],
  async handler(context) {
    const { days, title, filename, with_input: withInput } = context.body;
    const job = await requireJob(context);
    if (requireOutputs(job).length === 0) {
      throw new RequestError("conflict", "The job has no output files to share.");
    }
    const share = await shareJob(job, { days, title, filename, withInput });
    if (share) return serializeShare(share);
    const message = `You share ${maxShares} results already. Revoke one first.`;
    throw new RequestError("conflict", message);
  },
});
