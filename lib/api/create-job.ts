import { RequestError } from "#lib/errors.ts";
import { createId } from "#lib/ids.ts";
import { createJob } from "#lib/jobs/create.ts";
import { describeJob } from "#lib/jobs/describe.ts";
import { isFinal, waitForJob } from "#lib/jobs/events.ts";
import { liveMediaRunners } from "#lib/jobs/heartbeat.ts";
import { inputFolder } from "#lib/jobs/outputs.ts";
import type { Operation } from "#lib/operations/define.ts";
import { findOperation } from "#lib/operations/index.ts";
import { plans } from "#lib/quotas/plans.ts";
import { storage } from "#lib/storage/index.ts";
import { readBody } from "./body.ts";
import { filePartNames, parseJobRequest } from "./job-request.ts";
import { parsePreferredWait } from "./prefer.ts";
import type { KeyedContext } from "./route.ts";

/** `POST /v1/{group}/{operation}`: accepts a job and answers with it, or with its end (`Prefer: wait`). */
export async function createOperationJob(context: KeyedContext): Promise<Response> {
  const { account, params, request, requestId } = context;
  const operation = findOperation(`${params.group}/${params.operation}`);
  if (!operation)
    throw new RequestError("not_found", "There is no such operation; see GET /v1/operations.");
  await requireEngines(operation);
  const waitSeconds = parsePreferredWait(request);
  const id = createId("job");
  const target = {
    keyOf: (part: string) => `${inputFolder(id)}/${part}`,
    parts: filePartNames(operation),
    maxFileBytes: plans[account.plan].maxFileBytes,
  };
  try {
    const parsed = parseJobRequest(operation, await readBody(request, target));
    const row = await createJob({ id, account, operation: operation.id, requestId, ...parsed });
    const headers = { Location: `/v1/jobs/${row.id}` };
    if (waitSeconds === null) return Response.json(describeJob(row), { status: 202, headers });
    const waited = (await waitForJob(account.id, row.id, waitSeconds, request.signal)) ?? row;
    if (!isFinal(waited)) return Response.json(describeJob(waited), { status: 202, headers });
    const applied = { ...headers, "Preference-Applied": "wait" };
    return Response.json(describeJob(waited), { status: 200, headers: applied });
  } catch (error) {
    // Nothing of a refused request stays. Where the job was accepted, its input is its own.
    if (error instanceof RequestError) await storage().removeAll(inputFolder(id));
    throw error;
  }
}

/** 503 where every living media runner says that an engine of the operation is missing. */
async function requireEngines(operation: Operation): Promise<void> {
  const reports = await liveMediaRunners();
  const missing = operation.requires?.find(
    (engine) => reports.length > 0 && reports.every((report) => report.engines[engine] === null),
  );
  if (!missing) return;
  const sentence = `This operation needs ${missing}, which is not installed here.`;
  throw new RequestError("unavailable", sentence, { headers: { "Retry-After": "300" } });
}
