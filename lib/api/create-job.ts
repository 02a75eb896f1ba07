import { RequestError } from "#lib/errors.ts";
import { liveMediaRunners } from "#lib/jobs/runner/heartbeat.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import { acceptJob } from "./accept-job.ts";
import type { KeyedContext } from "./http/route.ts";
import { filePartNames, parseJobRequest } from "./job-request.ts";

/** `POST /v1/{group}/{operation}`: accepts a job of one operation. */
export async function createOperationJob(context: KeyedContext): Promise<Response> {
  const { group, operation: name } = context.params;
  const operation = findOperation(`${group}/${name}`);
  if (!operation) {
    const sentence = "There is no such operation; see GET /v1/operations.";
    throw new RequestError("not_found", sentence);
  }
  await requireEngines(operation);
  return acceptJob(context, {
    operation: operation.id,
    fileParts: filePartNames(operation),
    parse: (body, scope) => parseJobRequest(operation, body, scope),
  });
}

/** 503 where every living media runner says that an engine of the operation is missing. */
export async function requireEngines(operation: Operation): Promise<void> {
  const reports = await liveMediaRunners();
  const missing = operation.requires.find(
    (engine) => reports.length > 0 && reports.every((report) => report.engines[engine] === null),
  );
  if (!missing) return;
  const sentence = `This operation needs ${missing}, which is not installed here.`;
  throw new RequestError("unavailable", sentence, { headers: { "Retry-After": "300" } });
}
