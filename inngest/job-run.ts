import type { JobRow } from "#lib/db/schema/jobs.ts";
import type { Outcome } from "#lib/jobs/run/run.ts";
import { phasesOf } from "#lib/jobs/view/phases.ts";
import type { PlanName } from "#lib/plans.ts";

/** What the run history of Inngest shows of a job. No file names, URLs or messages: they belong to the customer. */
export interface ClaimReport {
  readonly job: string;
  readonly account: string;
  readonly operation: string;
  readonly plan: PlanName;
  readonly stage: string;
  readonly attempt: number;
  /** From the acceptance of the job to this claim. */
  readonly age_ms: number;
}

export interface WorkReport {
  /** How the work ended, before it was settled. */
  readonly outcome: Outcome["kind"];
  readonly error_code?: string;
  readonly duration_ms: number;
}

export interface SettleReport {
  /** The status of the job now. */
  readonly status: string;
  readonly error_code?: string;
  /** Duration of each phase that has ended. */
  readonly phases_ms: Readonly<Record<string, number>>;
}

/** One claimed job in a session: it works, then it is settled. */
export class JobRun {
  readonly claim: ClaimReport;
  readonly #worked = Promise.withResolvers<WorkReport>();
  readonly #settled = Promise.withResolvers<SettleReport>();
  readonly #startedAt = Date.now();

  constructor({ id, accountId, operation, plan, stage, attempts, createdAt }: JobRow) {
    const age = Date.now() - createdAt.getTime();
    this.claim = {
      ...{ job: id, account: accountId, operation, plan, stage },
      attempt: attempts,
      age_ms: Math.max(0, age),
    };
  }

  get id(): string {
    return this.claim.job;
  }

  get worked(): Promise<WorkReport> {
    return this.#worked.promise;
  }

  get settled(): Promise<SettleReport> {
    return this.#settled.promise;
  }

  endWork(outcome: Outcome): void {
    const duration_ms = Date.now() - this.#startedAt;
    const error = outcome.kind === "fail" ? { error_code: outcome.code } : {};
    this.#worked.resolve({ outcome: outcome.kind, ...error, duration_ms });
  }

  /** `row`: the job's row after it was settled; undefined if it belongs to someone else now. */
  settle(row: JobRow | undefined): void {
    // Has no effect if the work has ended.
    this.#worked.resolve({ outcome: "abandoned", duration_ms: Date.now() - this.#startedAt });
    if (!row) {
      this.#settled.resolve({ status: "not_held", phases_ms: {} });
      return;
    }
    const error = row.errorCode ? { error_code: row.errorCode } : {};
    this.#settled.resolve({ status: row.status, ...error, phases_ms: durationsOf(row) });
  }
}

function durationsOf(row: JobRow): Record<string, number> {
  const ended = phasesOf(row).flatMap(({ name, from, to }) =>
    to ? [[name, Date.parse(to) - Date.parse(from)] as const] : [],
  );
  return Object.fromEntries(ended);
}
