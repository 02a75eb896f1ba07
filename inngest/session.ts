import type { JobRun } from "./job-run.ts";

/** Why a session claimed no further job. */
export type NoClaimReason =
  /** No job waits, or those that wait are over the limit of their account. */
  | "nothing_to_claim"
  | "no_free_slot"
  /** An exclusive job runs on this runner, or is about to. */
  | "exclusive_job"
  | "runner_stops"
  /** It has run for a long time. Another run goes on. */
  | "session_ends";

/** The jobs that one run of Inngest claimed, in order. */
export class Session {
  readonly runId: string;
  readonly #jobs: JobRun[] = [];
  #reason: NoClaimReason | undefined;
  #changed = Promise.withResolvers<void>();

  /** The constructor takes the id of the run, for the log. */
  constructor(runId: string) {
    this.runId = runId;
  }

  add(job: JobRun): void {
    this.#jobs.push(job);
    this.#notify();
  }

  end(reason: NoClaimReason): void {
    this.#reason = reason;
    this.#notify();
  }

  /**
   * Resolves with the job with this index, which may have ended, once it is claimed; or with the reason
   * why there is none.
   */
  async next(index: number): Promise<JobRun | NoClaimReason> {
    while (true) {
      const job = this.#jobs[index];
      if (job) return job;
      if (this.#reason) return this.#reason;
      await this.#changed.promise;
    }
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
