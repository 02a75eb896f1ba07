import type { JobRow } from "#lib/db/schema/jobs.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import { type RequestedStep, revealParams } from "./secrets.ts";

/** The value of a job's `operation` if it is a chain of operations. */
export const chainName = "chain";

/** One operation of a job, with its validated parameters. */
export interface JobStep {
  readonly operation: Operation;
  readonly params: Record<string, unknown>;
  /** Prefix of the names of its file parts. Empty for a job of one operation. */
  readonly prefix: string;
}

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
