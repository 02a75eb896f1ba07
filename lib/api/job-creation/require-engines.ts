import type { RunnerReport } from "#lib/db/schema/runners.ts";
import { env } from "#lib/env.ts";
import { RequestError } from "#lib/errors.ts";
import { liveMediaRunners } from "#lib/jobs/runner/heartbeat.ts";
import type { Operation } from "#lib/operations/define.ts";

/** How long the reports of the runners are kept. A runner does not lose an engine while it runs. */
const keptMs = 5000;

let kept: { readonly reports: readonly RunnerReport[]; readonly until: number } | undefined;

async function readReports(): Promise<readonly RunnerReport[]> {
  if (!kept || kept.until < Date.now()) {
    kept = { reports: await liveMediaRunners(), until: Date.now() + keptMs };
  }
  return kept.reports;
}

/**
 * Throws `unavailable` if a variable that the operation needs is not set, or no media runner has an
 * engine that it needs.
 */
export async function requireEngines(operation: Operation): Promise<void> {
  const unset = operation.variables?.find((name) => env[name] === undefined);
  if (unset) {
    const message = `This operation needs a server that the operator names in ${unset}, which is not set.`;
    throw new RequestError("unavailable", message, { headers: { "Retry-After": "300" } });
  }
  const reports = await readReports();
  const missing = operation.requires.find(
    (engine) => reports.length > 0 && reports.every((report) => report.engines[engine] === null),
  );
  if (!missing) return;
  const message = `This operation needs ${missing}, which is not installed.`;
  throw new RequestError("unavailable", message, { headers: { "Retry-After": "300" } });
}
