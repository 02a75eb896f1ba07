import { z } from "zod";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { env } from "#lib/env.ts";
import { chainName, requestedSteps } from "../steps.ts";
import { hasFiles } from "./has-files.ts";
import { describeFile, outputSchema } from "./job.ts";
import { signStep } from "./links.ts";

/** An operation of a job, in the order in which they run. */
export const jobStepSchema = z
  .strictObject({
    type: z.string().describe("The id of the operation."),
    params: z
      .record(z.string(), z.unknown())
      .describe("Its validated parameters. Secret values are ***."),
    duration_ms: z
      .number()
      .int()
      .min(0)
      .nullable()
      .describe("How long it took, in milliseconds. Null until the job is completed."),
    output: outputSchema
      .nullable()
      .describe(
        "What it handed to the next operation. Null without keep_steps, for the last operation, whose files are the job's outputs, and once the files are deleted.",
      ),
  })
  .meta({ id: "JobStep", description: "An operation of a job." });

export type JobStep = z.infer<typeof jobStepSchema>;

/** The operations of a job with newly signed URLs, on `host`, of what lies between them. */
export function serializeSteps(row: JobRow, host = env.APP_URL): JobStep[] {
  const ran = row.operation === chainName ? row.steps : singleStep(row);
  return requestedSteps(row).map(({ type, params }, index) => {
    const { ms = null, output } = ran?.[index] ?? {};
    if (!output || !hasFiles(row)) return { type, params, duration_ms: ms, output: null };
    const { path, expiresAt } = signStep(row.id, index, output, row.expiresAt);
    const file = describeFile(output, { url: `${host}${path}`, expiresAt });
    return { type, params, duration_ms: ms, output: file };
  });
}

/** A job of one operation: the time on its engine. */
function singleStep(row: JobRow): JobRow["steps"] {
  const startedAt = row.engineStartedAt ?? row.fetchedAt ?? row.startedAt;
  if (row.status !== "completed" || !row.engineEndedAt || !startedAt) return null;
  return [{ ms: Math.max(0, row.engineEndedAt.getTime() - startedAt.getTime()) }];
}
