import type { JobErrorCode } from "#lib/errors.ts";
import type { OfferedPlanName } from "#lib/plans.ts";

/**
 * The unit of a limit: `formatAmount` prints `pixels`, `bytes`, `seconds` and `Hz` in larger units;
 * `px` is a length.
 */
export type LimitUnit = string;

export interface FileLimit {
  readonly kind: "image" | "video and audio" | "PDF" | "office" | "HTML" | "result" | "time";
  /** What is limited, for the docs. */
  readonly description: string;
  readonly unit: LimitUnit;
  readonly max: number | Readonly<Record<OfferedPlanName, number>>;
  /** The code of the job that exceeds it; `invalid_parameter` rejects the request instead. */
  readonly code: JobErrorCode | "invalid_parameter";
  /** The job's public message; `{max}` is the formatted limit. */
  readonly message?: string;
}
