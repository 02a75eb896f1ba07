import type { JobRow } from "#lib/db/schema/jobs.ts";
import type { Outcome } from "#lib/jobs/run/settle-outcome.ts";
import { phasesOf } from "#lib/jobs/view/phases.ts";
import type { PlanName } from "#lib/plans.ts";

/** What the run history of Inngest shows of a job. No file names, URLs or messages: they belong to the customer. */
export interface JobReport {
  readonly job: string;
  readonly account: string;
  readonly operation: string;
  readonly plan: PlanName;
  readonly stage: string;
  readonly attempt: number;
  /** The time from the acceptance of the job to its claim. */
  readonly age_ms: number;
  /** The time from the claim to the end of the work. */
  readonly duration_ms: number;
  /** How the work ended, before it was settled. */
  readonly outcome: Outcome["kind"];
  /** The status of the job now; `not_held` if another runner has it. */
  readonly status: string;
  readonly error_code?: string;
  /** The duration of each phase that has ended. */
  readonly phases_ms: Readonly<Record<string, number>>;
}

type WorkReport = Pick<JobReport, "outcome" | "error_code" | "duration_ms">;

/** One claimed job in a session: it works, then it is settled. */
export class JobRun {
  readonly job: JobRow;
  readonly #reported = Promise.withResolvers<JobReport>();
  readonly #claimedAt = Date.now();
  #work: WorkReport | undefined;

  constructor(job: JobRow) {
    this.job = job;
  }

  /** Resolves when the job is settled. */
  get report(): Promise<JobReport> {
    return this.#reported.promise;
  }

  endWork(outcome: Outcome): void {
    const duration_ms = Date.now() - this.#claimedAt;
    const error = outcome.kind === "fail" ? { error_code: outcome.code } : {};
    this.#work = { outcome: outcome.kind, ...error, duration_ms };
  }

  /**
   * Reports the end of the work; `row` is the job's row after it was settled, undefined if the job
   * belongs to another runner now.
   */
  settle(row: JobRow | undefined): void {
    const { id, accountId, operation, plan, stage, attempts, createdAt } = this.job;
    const unfinished = { outcome: "abandoned", duration_ms: Date.now() - this.#claimedAt } as const;
    const error = row?.errorCode ? { error_code: row.errorCode } : {};
    this.#reported.resolve({
      job: id,
      account: accountId,
      operation,
      plan,
      stage,
      attempt: attempts,
      age_ms: Math.max(0, this.#claimedAt - createdAt.getTime()),
      ...(this.#work ?? unfinished),
      ...error,
      status: row?.status ?? "not_held",
      phases_ms: row ? durationsOf(row) : {},
    });
  }
}

function durationsOf(row: JobRow): Record<string, number> {
  const ended = phasesOf(row).flatMap(({ name, from, to }) =>
    to ? [[name, Date.parse(to) - Date.parse(from)] as const] : [],
  );
  return Object.fromEntries(ended);
}
