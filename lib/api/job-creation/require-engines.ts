import { RequestError } from "#lib/errors.ts";
import { liveMediaRunners } from "#lib/jobs/runner/heartbeat.ts";
import type { Operation } from "#lib/operations/define.ts";

/** Throws `unavailable` if no media runner has an engine that the operation needs. */
export async function requireEngines(operation: Operation): Promise<void> {
  const reports = await liveMediaRunners();
  const missing = operation.requires.find(
    (engine) => reports.length > 0 && reports.every((report) => report.engines[engine] === null),
  );
  if (!missing) return;
  const message = `This operation needs ${missing}, which is not installed.`;
  throw new RequestError("unavailable", message, { headers: { "Retry-After": "300" } });
}
