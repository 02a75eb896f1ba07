import { existsSync } from "node:fs";
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { createAccount } from "#lib/auth/accounts.ts";
import { authenticateKey, createApiKey } from "#lib/auth/api-keys.ts";
import { decideDeviceLogin, redeemDeviceCode, startDeviceLogin } from "#lib/auth/device-login.ts";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { dataPath } from "#lib/env.ts";
import {
  closeAccount,
  closeOldVisitors,
  deleteAccountFiles,
  sweepClosedAccounts,
} from "#lib/jobs/actions/close-account.ts";
import { startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import {
  acceptJob,
  makeAccount,
  readJob,
  shortTimes,
  waitForJobState,
} from "#tests/service/jobs.ts";

it("closing an account revokes its key, cancels its waiting job, deletes its files and frees its email address", async () => {
  const account = await makeAccount("free");
  const { apiKey } = await createApiKey(account.id);
  const runner = await startMediaRunner(shortTimes);
  const done = await acceptJob(account);
  await waitForJobState(done.id);
  await runner.stop();
  const waiting = await acceptJob(account);
  const folders = [done, waiting].map(({ id }) => dataPath("storage/inputs", id));
  const output = dataPath("storage/outputs", done.id);
  expect([...folders, output].map((folder) => existsSync(folder))).toEqual([true, true, true]);

  await closeAccount(account.id);
  expect(await authenticateKey(apiKey)).toBeUndefined();
  expect(await readJob(waiting.id)).toMatchObject({ status: "cancelled" });
  await deleteAccountFiles(account.id);
  expect([...folders, output].map((folder) => existsSync(folder))).toEqual([false, false, false]);
  expect(await createAccount({ email: account.email })).toBeDefined();
});

it("a device that was approved gets no key of an account that is closed", async () => {
  const account = await makeAccount("free");
  const device = await startDeviceLogin({ name: "a laptop", address: undefined });
  expect(await decideDeviceLogin(device.userCode, account.id, "approved")).toBe("decided");
  await closeAccount(account.id);
  expect(await redeemDeviceCode(device.deviceCode)).toEqual({ status: "invalid" });
});

it("after a crash the sweep deletes the files, and a day later every record", async () => {
  const account = await makeAccount("free");
  const { id } = await acceptJob(account);
  await closeAccount(account.id);
  const folder = dataPath("storage/inputs", id);
  expect(existsSync(folder)).toBe(true);
  await sweepClosedAccounts();
  expect(existsSync(folder)).toBe(false);
  expect(await findAccount(db(), account.id)).toMatchObject({ email: `deleted:${account.id}` });
  await db().execute(
    sql`update accounts set deleted_at = now() - interval '25 hours' where id = ${account.id}`,
  );
  await sweepClosedAccounts();
  expect(await findAccount(db(), account.id)).toBeUndefined();
  expect(await readJob(id).catch(() => undefined)).toBeUndefined();
});

it("visitors are closed after a day, and their jobs with them", async () => {
  const old = await makeAccount("visitor");
  const recent = await makeAccount("visitor");
  const { id } = await acceptJob(old);
  await db().execute(
    sql`update accounts set created_at = now() - interval '25 hours' where id = ${old.id}`,
  );
  await closeOldVisitors();
  expect(await findAccount(db(), old.id)).toMatchObject({ deletedAt: expect.any(Date) });
  expect(await readJob(id)).toMatchObject({ status: "cancelled" });
  expect(await findAccount(db(), recent.id)).toMatchObject({ deletedAt: null });
});
