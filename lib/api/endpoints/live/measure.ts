import { z } from "zod";
import type { JobOutput, JobRow } from "#lib/db/schema/jobs.ts";
import type { LiveSource, MeasureTask } from "#lib/db/schema/live-task.ts";
import { requestPreview } from "#lib/jobs/live/request.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { jobId } from "../../definition/parameters.ts";
import { requireJob } from "../jobs/find-job.ts";
import { outputErrors, requireOutput } from "../jobs/outputs-of-job.ts";
import { authorizeLive, enginesBusy, liveErrors } from "./authorize-live.ts";

const measure = z.strictObject({
  ssim: z.number().nullable().describe("Structural similarity to the input, of a video one frame."),
  lufs: z.number().nullable().describe("Integrated loudness."),
});

export type ServedMeasure = z.infer<typeof measure>;

export const measureInDashboard = defineEndpoint({
  method: "POST",
  path: "/dashboard/api/jobs/{id}/measure",
  operationId: "measureInDashboard",
  tag: "Jobs",
  summary: "Measure how similar the output of a job is to its input, or how loud it is.",
  internal: true,
  access: "session",
  params: z.strictObject({ id: jobId }),
  responses: { 200: { description: "What was measured.", body: measure } },
  errors: [...outputErrors, ...liveErrors],
  async handler(context) {
    const job = await requireJob(context);
    const output = requireOutput(job, 0);
    await authorizeLive(context.account);
    const { id: accountId, plan } = context.account;
    const task = taskFor(job, output);
    if (!task) return { ssim: null, lufs: null };
    const result = await requestPreview({ accountId, plan, ...task }, context.request.signal);
    if (result?.kind === "measured") return { ssim: result.ssim, lufs: result.lufs };
    // The output is there all the same; it only cannot be compared.
    if (result?.kind === "failed") return { ssim: null, lufs: null };
    return enginesBusy(context.request.signal);
  },
});

/** Undefined if there is nothing to measure. */
function taskFor(
  { id, source }: Pick<JobRow, "id" | "source">,
  output: JobOutput,
): Pick<MeasureTask, "kind" | "media" | "input" | "output"> | undefined {
  const media = mediaOf(output.contentType);
  if (!media) return undefined;
  const measured = toSource(id, output);
  if (media === "audio") return { kind: "measure", media, input: null, output: measured };
  const isSame = source.kind === "stored" && mediaOf(source.contentType) === media;
  return isSame
    ? { kind: "measure", media, input: toSource(id, source), output: measured }
    : undefined;
}

function mediaOf(contentType: string): MeasureTask["media"] | undefined {
  const [kind] = contentType.split("/");
  return kind === "image" || kind === "video" || kind === "audio" ? kind : undefined;
}

function toSource(
  id: string,
  { key, filename, contentType, bytes }: Omit<LiveSource, "id">,
): LiveSource {
  return { id, key, filename, contentType, bytes };
}
