import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { jobs } from "#lib/db/schema/jobs.ts";
import { cancelJob } from "#lib/jobs/actions/cancel.ts";
import { retryJob } from "#lib/jobs/actions/retry.ts";
import { acceptJob, makeAccount, readJob } from "#tests/service/jobs.ts";

it("a retry shows the URL of an input that was fetched, and so does a retry of it", async () => {
  const account = await makeAccount();
  const { id, input } = await acceptJob(account);
  const url = "http://files.example/a.txt?token=";
  // As the fetch stage leaves it: the file is stored, and the URL is shown without its values.
  await db()
    .update(jobs)
    .set({ input: { ...input, url } })
    .where(eq(jobs.id, id));
  let job = await readJob(id);
  for (const _ of ["a retry", "a retry of it"]) {
    await cancelJob(account.id, job.id);
    ({ job } = await retryJob({ account, requestId: "req_test" }, await readJob(job.id)));
    expect(job).toMatchObject({ source: { kind: "stored" }, input: { ...input, url } });
  }
});

it("a retry of a job whose input was not fetched yet shows its URL without values", async () => {
  const account = await makeAccount();
  const { id } = await acceptJob(account, "http://files.example/a.txt?token=secret");
  const cancelled = await cancelJob(account.id, id);
  if (!cancelled) throw new Error("the job was not cancelled");
  const { job } = await retryJob({ account, requestId: "req_test" }, cancelled);
  expect(job.input.url).toBe("http://files.example/a.txt?token=");
});

it("a retry of a job whose file was sent with the request shows no URL", async () => {
  const account = await makeAccount();
  const { id } = await acceptJob(account);
  const cancelled = await cancelJob(account.id, id);
  if (!cancelled) throw new Error("the job was not cancelled");
  const { job } = await retryJob({ account, requestId: "req_test" }, cancelled);
  expect(job.input.url).toBeNull();
});
