import { faultPoint } from "#faults";
import { type Queryable, transaction } from "#lib/db/client.ts";
import {
  type Claim,
  claimNextJob,
  claimNextJobNow,
  drainForExclusiveJob,
  mustRunExclusively,
} from "#lib/db/queries/jobs/claims.ts";
import type { JobStage } from "#lib/db/schema/job-states.ts";
import { createToken } from "#lib/ids.ts";
import type { ClaimedJob } from "../run/claim/claimed-job.ts";

/** How long other runners leave an exclusive job to a runner that drains. It renews this with every claim. */
const drainSeconds = 10;

/**
 * Claims jobs for one runner. While an exclusive job runs, the runner claims nothing else. While it
 * drains for an exclusive job, it claims nothing new. Claims run one after the other, so that each
 * one knows what the runner already runs.
 */
export class Claims {
  readonly #leaseSeconds: number;
  readonly #onUnblocked: () => void;
  readonly #left: () => readonly string[];
  #running = 0;
  #runsExclusively = false;
  /** The exclusive job for which this runner drains. */
  #drainingFor: { readonly stage: JobStage; readonly jobId: string } | undefined;
  #drainTimer: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * `onUnblocked` is called when jobs that were held back can be claimed. Jobs of the operations that `left`
   * returns at the time of a claim are left to other runners.
   */
  constructor(
    leaseSeconds: number,
    onUnblocked: () => void,
    left: () => readonly string[] = () => [],
  ) {
    this.#leaseSeconds = leaseSeconds;
    this.#onUnblocked = onUnblocked;
    this.#left = left;
  }

  /**
   * Claims the next job, if there is one, and calls `work` with it. Calls `onMore` before that if more
   * jobs of the stage wait.
   */
  async runNext(
    stage: JobStage,
    onMore: () => void,
    work: (claimed: ClaimedJob) => Promise<unknown>,
  ): Promise<void> {
    const claim = this.#last.then(() => this.#claim(stage));
    this.#last = claim.catch(() => {}); // reported to this caller, not to the next one
    const claimed = await claim;
    if (!claimed) return this.#renewDrain();
    if (claimed.othersWait) onMore();
    try {
      await work(claimed);
    } finally {
      this.#running--;
      const wasBlocked = this.#runsExclusively || this.#drainingFor;
      this.#runsExclusively = false;
      if (wasBlocked) this.#onUnblocked();
    }
  }

  /** Whether an exclusive job runs, or is about to: no other job can be claimed here for now. */
  get isBlocked(): boolean {
    return this.#runsExclusively || this.#drainingFor !== undefined;
  }

  /** Whether this runner claims nothing new, until it can run a job exclusively. */
  get isDraining(): boolean {
    return this.#drainingFor !== undefined;
  }

  /** Whether jobs with one of these operations are left to other runners. */
  leaves(operations: readonly string[]): boolean {
    const left = this.#left();
    return operations.some((id) => left.includes(id));
  }

  stop(): void {
    clearTimeout(this.#drainTimer);
  }

  /** While this runner drains, it claims again before other runners may drain for the same job. */
  #renewDrain(): void {
    if (!this.#drainingFor) return;
    clearTimeout(this.#drainTimer);
    this.#drainTimer = setTimeout(this.#onUnblocked, (drainSeconds * 1000) / 3);
  }

  async #claim(stage: JobStage): Promise<(ClaimedJob & { othersWait: boolean }) | undefined> {
    if (this.#runsExclusively) return undefined;
    faultPoint("before-claim");
    const token = createToken();
    const claimed = await this.#claimNext(stage, token);
    if (!claimed) return undefined;
    const { job, othersWait } = claimed;
    this.#running++;
    this.#runsExclusively = mustRunExclusively(job);
    if (this.#runsExclusively) this.#drainingFor = undefined;
    faultPoint("after-claim", job.id);
    return { job, lease: { jobId: job.id, token }, othersWait };
  }

  async #claimNext(stage: JobStage, token: string): Promise<Claim | undefined> {
    const idle = this.#running === 0;
    const claimant = { idle, left: this.#left() };
    if (!this.#drainingFor) {
      const { claim, exclusiveWaits } = await claimNextJobNow(
        stage,
        token,
        this.#leaseSeconds,
        claimant,
      );
      if (claim || idle || !exclusiveWaits) return claim;
    }
    return transaction(async (tx) => {
      this.#drainingFor = await this.#drain(tx, stage);
      if (this.#drainingFor && !(idle && this.#drainingFor.stage === stage)) return undefined;
      return claimNextJob(tx, stage, token, this.#leaseSeconds, claimant);
    });
  }

  /** The job to drain for now: the former one while it still waits, else the next one if it is exclusive. */
  async #drain(tx: Queryable, stage: JobStage) {
    const former = this.#drainingFor;
    for (const one of new Set(former ? [former.stage, stage] : [stage])) {
      const jobId = await drainForExclusiveJob(tx, one, former?.jobId, drainSeconds, this.#left());
      if (jobId) return { stage: one, jobId };
    }
    return undefined;
  }
}
