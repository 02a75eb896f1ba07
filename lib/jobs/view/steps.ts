import { z } from "zod";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { env } from "#lib/env.ts";
import { chainName } from "../steps.ts";
import { hasFiles } from "./has-files.ts";
import { describeFile, outputSchema } from "./job.ts";
import { signStep } from "./links.ts";
import { shownSteps } from "./params.ts";

/** The statuses of an operation of a job. */
export const stepStatuses = ["not_started", "running", "completed", "failed", "cancelled"] as const;

/** An operation of a job, in the order in which they run. */
export const jobStepSchema = z
  .strictObject({
    type: z.string().describe("The id of the operation."),
    params: z
      .record(z.string(), z.unknown())
      .describe(
        "Its validated parameters. URLs of further files have no query values. Secret values are ***.",
      ),
    status: z
      .enum(stepStatuses)
      .describe(
        "Whether it is completed. Of a chain that failed, the one that failed; those after it did not start.",
      ),
    duration_ms: z
      .number()
      .int()
      .min(0)
      .nullable()
      .describe(
        "How long it took, in milliseconds. Null until the job is completed, and if it was not measured.",
      ),
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
  const requested = shownSteps(row);
  const current = currentStep(row, requested.length);
  return requested.map(({ type, params }, index) => {
    const { ms = null, output } = ran?.[index] ?? {};
    const step = { type, params, status: statusOf(row, index, current), duration_ms: ms };
    if (!output || !hasFiles(row)) return { ...step, output: null };
    const { path, expiresAt } = signStep(row.id, index, output, row.expiresAt);
    return { ...step, output: describeFile(output, { url: `${host}${path}`, expiresAt }) };
  });
}

/** The progress is stored with single precision: a third is read as a little less. */
const roundingError = 1e-3;

/** The index of the operation that runs, or that was the last to run. */
function currentStep({ status, steps, progress }: JobRow, count: number): number {
  if (status === "completed") return count;
  // Each operation has the same share of the progress.
  const reached = Math.min(Math.floor((progress * count) / 100 + roundingError), count - 1);
  return status === "failed" ? (steps?.length ?? reached) : reached;
}

function statusOf(
  { status, startedAt }: JobRow,
  index: number,
  current: number,
): (typeof stepStatuses)[number] {
  if (index < current) return "completed";
  if (index > current || !startedAt) return "not_started";
  switch (status) {
    case "failed":
    case "cancelled":
      return status;
    case "processing":
      return "running";
    default:
      return "not_started";
  }
}

/** A job of one operation: the time on its engine. */
function singleStep(row: JobRow): JobRow["steps"] {
  const startedAt = row.engineStartedAt ?? row.fetchedAt ?? row.startedAt;
  if (row.status !== "completed" || !row.engineEndedAt || !startedAt) return null;
  return [{ ms: Math.max(0, row.engineEndedAt.getTime() - startedAt.getTime()) }];
}
