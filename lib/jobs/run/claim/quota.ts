import { transaction } from "#lib/db/client.ts";
import { recordReservation } from "#lib/db/queries/jobs/leases.ts";
import { reserveBytes } from "#lib/db/queries/usage/usage.ts";
import { JobError } from "#lib/errors.ts";
import type { Plan } from "#lib/plans.ts";
import type { ClaimedJob } from "./claimed-job.ts";

/** A job's reservation of its account's quota. It grows as the sizes of fetched files become known. */
export class JobQuota {
  readonly #claimed: ClaimedJob;
  readonly #plan: Plan;
  #reserved: number;
  #read: number;

  /** The constructor takes the bytes of the files that are already stored as `read`. */
  constructor(claimed: ClaimedJob, plan: Plan, read: number) {
    this.#claimed = claimed;
    this.#plan = plan;
    this.#reserved = claimed.job.reservedBytes;
    this.#read = read;
  }

  /**
   * Reserves what `what` of `bytes` needs in addition to the files already read. Throws `usage_limit_reached`, with
   * `what` at the start of the message.
   */
  async reserve(bytes: number, what = "The file"): Promise<void> {
    const missing = this.#read + bytes - this.#reserved;
    if (missing <= 0) return;
    const { job, lease } = this.#claimed;
    const { accountId, period, id } = job;
    const limit = this.#plan.monthlyBytes;
    await transaction(async (tx) => {
      // In the same transaction, because the job's row decides what is returned when the job ends. First, because
      // all who end a job lock its row before that of its account's usage.
      const recorded = await recordReservation(tx, lease, this.#reserved + missing);
      if (!recorded) throw new Error(`the lease of job ${id} was lost`);
      const reservation = { accountId, period, bytes: missing, limit } as const;
      if (await reserveBytes(tx, reservation)) return;
      const message = `${what} would exceed your plan's monthly usage limit.`;
      throw new JobError("usage_limit_reached", message);
    });
    this.#reserved += missing;
  }

  /** Records that a file of `bytes` has been read completely. */
  addRead(bytes: number): void {
    this.#read += bytes;
  }
}
