import { readMediaReports } from "#lib/db/queries/jobs/media-reports.ts";
import { env } from "#lib/env.ts";
import { RequestError } from "#lib/errors.ts";
import { describeMissing, findMissingEngines } from "#lib/jobs/missing-engines.ts";
import type { Operation } from "#lib/operations/define.ts";
import type { OperatorVariable } from "#lib/operations/definition.ts";
import { requireSandboxFor } from "./require-sandbox.ts";

/**
 * Throws `unavailable` if a variable that the operation needs is not set, no media runner has all engines
 * that it needs, or every file needs a sandbox that does not work.
 */
export async function requireEngines(operation: Operation): Promise<void> {
  const unset = findUnsetVariable(operation);
  if (unset) {
    // Without Retry-After: to wait changes nothing.
    const message = `This operation is not set up on this service: it needs a server that the operator names in ${unset}.`;
    throw new RequestError("unavailable", message);
  }
  await requireSandboxFor(operation, operation.accepts);
  await requireOneRunner([operation]);
}

/** The variable that the operation needs and that is not set. */
export function findUnsetVariable({ variables = [] }: Operation): OperatorVariable | undefined {
  return variables.find((name) => env[name] === undefined);
}

/** Throws `unavailable` if no live media runner has all engines of the operations of a job. */
export async function requireOneRunner(operations: readonly Operation[]): Promise<void> {
  const ids = operations.map(({ id }) => id);
  const missing = findMissingEngines(ids, await readMediaReports());
  if (!missing) return;
  const message = describeMissing("This operation", missing);
  throw new RequestError("unavailable", message, { headers: { "Retry-After": "60" } });
}
