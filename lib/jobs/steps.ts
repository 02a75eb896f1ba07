import type { JobRow } from "#lib/db/schema/jobs.ts";
import type { RequestedStep } from "./secrets.ts";

/** The value of a job's `operation` if it is a chain of operations. */
export const chainName = "chain";

/** Name of a file part of the chain's operation `index`, as jobs store it. */
export function chainPart(index: number, part: string): string {
  return `${chainPrefix(index)}${part}`;
}

function chainPrefix(index: number): string {
  return `operations-${index}-`;
}

/** Prefix of the names of the file parts of the job's operation `index`. Empty for a job of one operation. */
export function partPrefix({ operation }: Pick<JobRow, "operation">, index: number): string {
  return operation === chainName ? chainPrefix(index) : "";
}

/** The operations of a job and their parameters, in order. */
export function requestedSteps({
  operation,
  params,
}: Pick<JobRow, "operation" | "params">): RequestedStep[] {
  // `operations` was written by this service when the chain was accepted.
  return operation === chainName
    ? (params.operations as RequestedStep[])
    : [{ type: operation, params }];
}

/** The `params` of a job whose operations are replaced by `steps`. */
export function paramsOf(
  { operation, params }: Pick<JobRow, "operation" | "params">,
  steps: readonly RequestedStep[],
): Record<string, unknown> {
  return operation === chainName ? { ...params, operations: steps } : { ...steps[0]?.params };
}

/** Whether the job is a chain that keeps the output of each operation. */
export function keepsSteps({ operation, params }: Pick<JobRow, "operation" | "params">): boolean {
  return operation === chainName && params.keep_steps === true;
}
