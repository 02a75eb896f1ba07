import { existsSync } from "node:fs";
import { sql } from "drizzle-orm";
import { expect, it, vi } from "vitest";
import { db } from "#lib/db/client.ts";
import { dataPath } from "#lib/env.ts";
import { retryJob } from "#lib/jobs/actions/retry.ts";
import { startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { recoverLostJobs, sweep } from "#lib/jobs/runner/sweep.ts";
import { FileGoneError, storage } from "#lib/storage/index.ts";
import { claimJob } from "#tests/service/claim-job.ts";
import {
  acceptJob,
  makeAccount,
  readJob,
  shortTimes,
  waitForJobState,
} from "#tests/service/jobs.ts";

it("the files of a job are deleted when its retention ends, and not before; its record stays", async () => {
  const runner = await startMediaRunner(shortTimes);
  const account = await makeAccount("free");
  const { id } = await acceptJob(account);
  const { expiresAt, completedAt } = await waitForJobState(id);
  await runner.stop();
  const files = [dataPath("storage/inputs", id), dataPath("storage/outputs", id)];
  expect((Number(expiresAt) - Number(completedAt)) / 3_600_000).toBeCloseTo(24, 1);
  await sweep();
  expect(files.map((file) => existsSync(file))).toEqual([true, true]);
  await db().execute(
    sql`update jobs set expires_at = now() - interval '1 second' where id = ${id}`,
  );
  await sweep();
  expect(files.map((file) => existsSync(file))).toEqual([false, false]);
  expect(await readJob(id)).toMatchObject({
    status: "completed",
    filesDeletedAt: expect.any(Date),
  });
});

it("files that cannot be deleted keep neither others nor old rows from being deleted", async () => {
  const account = await makeAccount("free");
  const locked = await acceptJob(account);
  const other = await acceptJob(account);
  await db().execute(sql`
    update jobs set status = 'failed', completed_at = now(),
      expires_at = now() - case id when ${locked.id} then interval '2 hours' else interval '1 hour' end
    where account_id = ${account.id}`);
  await db().execute(sql`
    insert into idempotency_keys (account_id, key, fingerprint, status, body, created_at)
    values (${account.id}, 'old', 'a', 202, '{}', now() - interval '25 hours')`);
  const remove = storage().removeAll.bind(storage());
  const removeAll = vi
    .spyOn(storage(), "removeAll")
    .mockImplementation((prefix) =>
      prefix.endsWith(locked.id) ? Promise.reject(new Error("the store keeps it")) : remove(prefix),
    );
  await sweep();
  removeAll.mockRestore();
  const hasFile = ({ id }: { id: string }) => existsSync(dataPath("storage/inputs", id));
  expect([locked, other].map(hasFile)).toEqual([true, false]);
  expect((await readJob(locked.id)).filesDeletedAt).toBeNull();
  const keys = await db().execute(
    sql`select from idempotency_keys where account_id = ${account.id}`,
  );
  expect(keys).toHaveLength(0);
  await sweep();
  expect(hasFile(locked)).toBe(false);
});

it("the URLs of a job lose their queries with its files, and it cannot be retried", async () => {
  const account = await makeAccount();
  const { id } = await acceptJob(account, "http://a.example/a?token=SECRET#SECRET");
  const file = { filename: "?SECRE+T", contentType: "image/png", bytes: 1 };
  const stored = { kind: "stored", key: "inputs/a", ...file, sha256: "00" };
  const parts = {
    "file-2": stored,
    watermark: {
      ...stored,
      url: "http://a.example/b?SECRET",
      requestedUrl: "http://a.example/#SECRET",
    },
    audio: {
      kind: "remote",
      url: "http://a.example/c?a=SECRET",
      finalUrl: "http://a.example/d?SECRET",
      ...file,
    },
  };
  await db().execute(sql`
    update jobs set status = 'failed', completed_at = now(), expires_at = now() - interval '1 second',
      parts = ${JSON.stringify(parts)}::json where id = ${id}`);
  await sweep();
  const job = await readJob(id);
  expect(JSON.stringify(job)).not.toContain("SECRET");
  expect(job).toMatchObject({
    source: { kind: "url", url: "http://a.example/a" },
    parts: {
      "file-2": stored,
      watermark: { ...stored, url: "http://a.example/b", requestedUrl: "http://a.example/" },
      audio: { kind: "remote", url: "http://a.example/c", finalUrl: "http://a.example/d", ...file },
    },
  });
  const retry = retryJob({ account, requestId: "req_test" }, job);
  await expect(retry).rejects.toBeInstanceOf(FileGoneError);
});

it("a job whose runner vanished is released", async () => {
  const { id } = await acceptJob(await makeAccount());
  await claimJob(db(), { jobId: id, token: "vanished" }, 0, "run");
  await recoverLostJobs();
  expect(await readJob(id)).toMatchObject({ leaseToken: null, attempts: 0, runnerDeaths: 1 });
});
