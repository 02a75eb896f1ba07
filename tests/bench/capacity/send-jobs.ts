import { setTimeout as wait } from "node:timers/promises";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { createId } from "#lib/ids.ts";
import { createJob } from "#lib/jobs/accept/create.ts";
import { waitForJob } from "#lib/jobs/follow/events.ts";

/** What the clients saw. */
export interface SentJobs {
  readonly jobs: number;
  readonly seconds: number;
  /** The time that each acceptance took, in milliseconds. */
  readonly acceptMs: readonly number[];
  /** The time from each acceptance to the start of the job, in milliseconds. */
  readonly startMs: readonly number[];
}

/** Sends small jobs for `seconds`: a client for each of `accounts`, which waits for its job before it sends the next. */
export async function sendJobs(accounts: readonly Account[], seconds: number): Promise<SentJobs> {
  const acceptMs: number[] = [];
  const startMs: number[] = [];
  const endsAt = performance.now() + seconds * 1000;
  const never = new AbortController().signal;
  const runClient = async (account: Account) => {
    while (performance.now() < endsAt) {
      const sentAt = performance.now();
      const id = await acceptCode(account);
      acceptMs.push(performance.now() - sentAt);
      const job = await waitForJob(account.id, id, 60, never);
      if (job?.status !== "completed") throw new Error(`the job is ${job?.status}: ${job?.error}`);
      startMs.push(Number(job.startedAt) - Number(job.createdAt));
    }
  };
  // Not all in the same millisecond.
  await Promise.all(
    accounts.map((account, index) => wait(index * 5).then(() => runClient(account))),
  );
  return { jobs: acceptMs.length, seconds, acceptMs, startMs };
}

/** Accepts a job without a file. */
async function acceptCode(account: Account): Promise<string> {
  const id = createId("job");
  await createJob({
    id,
    account,
    operation: "image/qr-code",
    params: { text: "Some text" },
    source: { kind: "none" },
    parts: {},
    webhookUrl: null,
    metadata: {},
    requestId: "req_bench",
  });
  return id;
}
