import { JobError, type JobErrorCode } from "#lib/errors.ts";
import type { OperationContext } from "../../define.ts";

/** Shared by the inspectors of all kinds of files. */

/** Properties of a file by their names in the result. JSON only. */
export type Properties = Record<string, unknown>;

export type Inspection = Pick<
  OperationContext<Record<string, unknown>>,
  "input" | "work" | "signal"
>;

/** Errors that are reported in the result instead of failing the job. */
const reportedErrors: readonly JobErrorCode[] = [
  "corrupt",
  "encrypted",
  "unsupported_type",
  "too_complex",
  "timed_out",
];

/**
 * The result of `reading`, or the error code if the file is at fault. Throws all other errors.
 *
 * @param fault a further error of which the file is the reason here
 */
export async function attempt<Value>(
  reading: Promise<Value>,
  fault?: JobErrorCode,
): Promise<{ value?: Value; problem?: JobErrorCode }> {
  try {
    return { value: await reading };
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    if (!reportedErrors.includes(error.code) && error.code !== fault) throw error;
    return { problem: error.code };
  }
}

/** Returns `properties` without those that are undefined. */
export function withoutUndefined(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
}

/** The properties of a file of which only the type can be read. Empty if there is no problem. */
export function unreadableProperties(problem: JobErrorCode | undefined): Properties {
  if (!problem) return {};
  return { readable: false, problem, ...(problem === "encrypted" ? { encrypted: true } : {}) };
}
