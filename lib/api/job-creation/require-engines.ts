import { readMediaReports } from "#lib/db/queries/jobs/media-reports.ts";
import { env } from "#lib/env.ts";
import { RequestError } from "#lib/errors.ts";
import type { Operation } from "#lib/operations/define.ts";
import { requireSandboxFor } from "./require-sandbox.ts";

/**
 * Throws `unavailable` if a variable that the operation needs is not set, no media runner has an engine
 * that it needs, or every file needs a sandbox that does not work.
 */
export async function requireEngines(operation: Operation): Promise<void> {
  const unset = operation.variables?.find((name) => env[name] === undefined);
  if (unset) {
    const message = `This operation needs a server that the operator names in ${unset}, which is not set.`;
    throw new RequestError("unavailable", message, { headers: { "Retry-After": "300" } });
  }
  await requireSandboxFor(operation, operation.accepts);
  const reports = await readMediaReports();
  const missing = operation.requires.find(
    (engine) => reports.length > 0 && reports.every((report) => report.engines[engine] === null),
  );
  if (!missing) return;
  const message = `This operation needs ${missing}, which is not installed.`;
  throw new RequestError("unavailable", message, { headers: { "Retry-After": "300" } });
}
