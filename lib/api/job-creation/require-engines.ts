import { readMediaReports } from "#lib/db/queries/jobs/media-reports.ts";
import type { RunnerReport } from "#lib/db/schema/runners.ts";
import { env } from "#lib/env.ts";
import { RequestError } from "#lib/errors.ts";
import type { Operation } from "#lib/operations/define.ts";
import { requireSandboxFor } from "./require-sandbox.ts";

/**
 * Throws `unavailable` if a variable that the operation needs is not set, no media runner has all engines
 * that it needs, or every file needs a sandbox that does not work.
 */
export async function requireEngines(operation: Operation): Promise<void> {
  const unset = operation.variables?.find((name) => env[name] === undefined);
  if (unset) {
    const message = `This operation needs a server that the operator names in ${unset}, which is not set.`;
    throw new RequestError("unavailable", message, { headers: { "Retry-After": "300" } });
  }
  await requireSandboxFor(operation, operation.accepts);
  await requireOneRunner([operation]);
}

/** Throws `unavailable` if no media runner has all engines of the operations of a job. */
export async function requireOneRunner(operations: readonly Operation[]): Promise<void> {
  const reports = await readMediaReports();
  const engines = [...new Set(operations.flatMap(({ requires }) => requires))];
  const lacks = (report: RunnerReport, engine: string) => report.engines[engine] === null;
  if (reports.length === 0) return;
  if (reports.some((report) => !engines.some((engine) => lacks(report, engine)))) return;
  const missing = engines.find((engine) => reports.every((report) => lacks(report, engine)));
  const message =
    missing === undefined
      ? `This needs ${joinWords(engines)}, which no runner of this server has together.`
      : `This operation needs ${missing}, which is not installed.`;
  throw new RequestError("unavailable", message, { headers: { "Retry-After": "300" } });
}

const joinWords = (words: readonly string[]) =>
  new Intl.ListFormat("en", { type: "conjunction" }).format(words);
