import { existsSync } from "node:fs";
import { sql } from "drizzle-orm";
import { expect, it, vi } from "vitest";
import { createAccount } from "#lib/auth/accounts.ts";
import { authenticateKey, createApiKey } from "#lib/auth/api-keys.ts";
import { decideDeviceLogin, redeemDeviceCode, startDeviceLogin } from "#lib/auth/device-login.ts";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { beginSegment, listSegments } from "#lib/db/queries/images/image-cache.ts";
import { addToImageDays } from "#lib/db/queries/images/image-days.ts";
import { dataPath } from "#lib/env.ts";
import { pictureKey } from "#lib/images/cache/storage-keys.ts";
import {
  closeAccount,
  closeOldVisitors,
  deleteAccountFiles,
  sweepClosedAccounts,
} from "#lib/jobs/actions/close-account.ts";
import { startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { FileGoneError, storage } from "#lib/storage/index.ts";
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

/** Makes it a day since the account was closed. */
const ageClosed = (id: string) =>
  db().execute(sql`update accounts set deleted_at = now() - interval '25 hours' where id = ${id}`);

it("a closed account without files causes no requests to the storage until its records are deleted", async () => {
  await beginSegment(db(), 0);
  const { id } = await makeAccount("visitor");
  await closeAccount(id);
  const removeAll = vi.spyOn(storage(), "removeAll");
  await sweepClosedAccounts();
  await ageClosed(id);
  await sweepClosedAccounts();
  expect(removeAll.mock.calls.filter(([prefix]) => prefix.includes(id))).toEqual([]);
  removeAll.mockRestore();
  expect(await findAccount(db(), id)).toBeUndefined();
});

it("the pictures of a closed account are deleted, also one that is stored later", async () => {
  await beginSegment(db(), 0);
  const [segment] = await listSegments(db());
  const { id } = await makeAccount("free");
  await closeAccount(id);
  const key = pictureKey(segment ?? { id: 0, folder: "" }, {
    accountId: id,
    source: "a",
    picture: "b",
  });
  const counts = { hits: 0, misses: 1, errors: 0, sourceBytes: 1, sentBytes: 1 };
  for (let time = 0; time < 2; time++) {
    await storage().writeCached(key, Buffer.from("a picture"));
    await addToImageDays(db(), [{ accountId: id, day: "2026-11-21", ...counts }]);
    await sweepClosedAccounts();
    await expect(storage().readBytes(key)).rejects.toThrow(FileGoneError);
  }
});

it("an account whose files cannot be deleted keeps its records, and keeps no other account from being deleted", async () => {
  const locked = await makeAccount("free");
  const { id } = await acceptJob(locked);
  const other = await makeAccount("free");
  for (const account of [locked, other]) {
    await closeAccount(account.id);
    await ageClosed(account.id);
  }
  const remove = storage().removeAll.bind(storage());
  const removeAll = vi
    .spyOn(storage(), "removeAll")
    .mockImplementation((prefix) =>
      prefix.endsWith(id) ? Promise.reject(new Error("the store keeps it")) : remove(prefix),
    );
  await sweepClosedAccounts();
  removeAll.mockRestore();
  expect(await findAccount(db(), locked.id)).toBeDefined();
  expect(await findAccount(db(), other.id)).toBeUndefined();
  await sweepClosedAccounts();
  expect(existsSync(dataPath("storage/inputs", id))).toBe(false);
  expect(await findAccount(db(), locked.id)).toBeUndefined();
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
