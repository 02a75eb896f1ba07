import { transaction } from "#lib/db/client.ts";
import { type Lease, recordReservation } from "#lib/db/queries/jobs/leases.ts";
import { reserveBytes } from "#lib/db/queries/usage/usage.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { JobError } from "#lib/errors.ts";
import type { Plan } from "#lib/plans.ts";

/** What a job holds of its account's quota; grows as the sizes of fetched files become known. */
export class JobQuota {
  readonly #job: JobRow;
  readonly #lease: Lease;
  readonly #plan: Plan;
  #reserved: number;
  #read: number;

  /** `read`: bytes of the files that are stored already. */
  constructor(job: JobRow, lease: Lease, plan: Plan, read: number) {
    this.#job = job;
    this.#lease = lease;
    this.#plan = plan;
    this.#reserved = job.reservedBytes;
    this.#read = read;
  }

  /** Makes sure that a file of `bytes`, beside those already read, is reserved. Throws `usage_limit_reached`. */
  async hold(bytes: number): Promise<void> {
    const missing = this.#read + bytes - this.#reserved;
    if (missing <= 0) return;
    const { accountId, period, id } = this.#job;
    const limit = this.#plan.monthlyBytes;
    const fits = await transaction(async (tx) => {
      if (!(await reserveBytes(tx, { accountId, period, bytes: missing, limit }))) return false;
      // Both or neither: what the row says is what is given back at the end.
      const recorded = await recordReservation(tx, this.#lease, this.#reserved + missing);
      if (!recorded) throw new Error(`job ${id} is no longer ours`);
      return true;
    });
    if (!fits) {
      const sentence = "The file would pass your plan's monthly usage limit.";
      throw new JobError("usage_limit_reached", sentence);
    }
    this.#reserved += missing;
  }

  /** A file of `bytes` has been read whole. */
  count(bytes: number): void {
    this.#read += bytes;
  }
}
