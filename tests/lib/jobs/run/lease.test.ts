import { expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { createToken } from "#lib/ids.ts";
import type { ClaimedJob } from "#lib/jobs/run/claim/claimed-job.ts";
import { JobStoppedError } from "#lib/jobs/run/failures.ts";
import { holdLease } from "#lib/jobs/run/lease.ts";
import { claimJob } from "#tests/service/claim-job.ts";
import { acceptJob, makeAccount, shortTimes } from "#tests/service/jobs.ts";

const times = { ...shortTimes, timeoutSeconds: 0.3, abandonSeconds: 0.3 };

async function claim(): Promise<ClaimedJob> {
  const { id } = await acceptJob(await makeAccount(), "https://example.com/a.jpg");
  const lease = { jobId: id, token: createToken() };
  const job = await claimJob(db(), lease, 20, "fetch");
  if (!job) throw new Error("the job was not claimed");
  return { job, lease };
}

it("work that ignores its deadline does not keep its slot", async () => {
  let signal: AbortSignal | undefined;
  const claimed = await claim();
  const startedAt = Date.now();
  const held = holdLease(claimed, times, new AbortController().signal, (job) => {
    ({ signal } = job);
    return new Promise<never>(() => {});
  });
  await expect(held).rejects.toBeInstanceOf(JobStoppedError);
  await expect(held).rejects.toMatchObject({ reason: "timed_out" });
  expect(signal?.aborted).toBe(true);
  expect(Date.now() - startedAt).toBeLessThan(5000);
});

it("work that ends in time after its deadline gives its own error as the cause", async () => {
  const failure = new Error("stopped by its signal");
  const held = holdLease(
    await claim(),
    times,
    new AbortController().signal,
    ({ signal }) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(failure), { once: true });
      }),
  );
  await expect(held).rejects.toMatchObject({ reason: "timed_out", cause: failure });
});
