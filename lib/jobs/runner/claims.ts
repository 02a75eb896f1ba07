import { faultPoint } from "#faults";
import { transaction } from "#lib/db/client.ts";
import { awaitIdleness, claimNextJob, mustRunAlone } from "#lib/db/queries/jobs/claims.ts";
import type { Lease } from "#lib/db/queries/jobs/leases.ts";
import { createToken } from "#lib/ids.ts";
import type { JobStage } from "#lib/queue/port.ts";

/** How long other runners leave it to one that is becoming idle; it asks again every second or two. */
const promiseSeconds = 10;

/**
 * The jobs that one runner has at work, and what it may take beside them: nothing beside a job that
 * must run alone, and nothing more while it is becoming idle for one. Claims are made one after the
 * other, so that each knows what the runner has.
 */
export class Claims {
  readonly #leaseSeconds: number;
  readonly #onRoom: () => void;
  #atWork = 0;
  #hasOneAlone = false;
  /** A job that must run alone, and for which this runner takes nothing more until it is idle. */
  #promised: { readonly stage: JobStage; readonly jobId: string } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** `onRoom`: what was held back may be taken now. */
  constructor(leaseSeconds: number, onRoom: () => void) {
    this.#leaseSeconds = leaseSeconds;
    this.#onRoom = onRoom;
  }

  /** Takes the job whose turn it is and calls `work` with it. False where there was none to take. */
  async take(stage: JobStage, work: (lease: Lease) => Promise<unknown>): Promise<boolean> {
    const claim = this.#last.then(() => this.#claim(stage));
    this.#last = claim.catch(() => {}); // told to the one who claimed
    const lease = await claim;
    if (!lease) return false;
    try {
      await work(lease);
    } finally {
      this.#atWork--;
      const heldBack = this.#hasOneAlone || this.#promised;
      this.#hasOneAlone = false;
      if (heldBack) this.#onRoom();
    }
    return true;
  }

  async #claim(stage: JobStage): Promise<Lease | null> {
    if (this.#hasOneAlone) return null;
    faultPoint("before-claim");
    const idle = this.#atWork === 0;
    const token = createToken();
    const job = await transaction(async (tx) => {
      if (!idle || this.#promised) {
        this.#promised = await this.#promise(tx, stage);
        if (this.#promised && !(idle && this.#promised.stage === stage)) return undefined;
      }
      return claimNextJob(tx, stage, token, this.#leaseSeconds, { idle });
    });
    if (!job) return null;
    this.#atWork++;
    this.#hasOneAlone = mustRunAlone(job);
    if (this.#hasOneAlone) this.#promised = undefined;
    faultPoint("after-claim", job.id);
    return { jobId: job.id, token };
  }

  /** The promise that holds now: the former one while its job waits, else one to the job whose turn it is. */
  async #promise(tx: Parameters<typeof awaitIdleness>[0], stage: JobStage) {
    const former = this.#promised;
    for (const one of new Set(former ? [former.stage, stage] : [stage])) {
      const jobId = await awaitIdleness(tx, one, former?.jobId, promiseSeconds);
      if (jobId) return { stage: one, jobId };
    }
    return undefined;
  }
}
