import type { JobRow } from "#lib/db/schema/jobs.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import { revealParams } from "./secrets.ts";
import { partPrefix, requestedSteps } from "./steps.ts";

/** One operation of a job, with its validated parameters. */
export interface JobStep {
  readonly operation: Operation;
  readonly params: Record<string, unknown>;
  /** Prefix of the names of its file parts. Empty for a job of one operation. */
  readonly prefix: string;
}

/**
 * The operations of a job with their parameters, secret ones included, in order. Throws if the catalogue
 * no longer has one of them.
 */
export function stepsOf(
  job: Pick<JobRow, "id" | "operation" | "params" | "secrets">,
): [JobStep, ...JobStep[]] {
  const [first, ...rest] = revealParams(job, requestedSteps(job)).map(({ type, params }, index) => {
    const operation = findOperation(type);
    if (!operation) throw new Error(`there is no operation ${type}`);
    return { operation, params, prefix: partPrefix(job, index) };
  });
  if (!first) throw new Error("a chain without operations");
  return [first, ...rest];
}
