import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import {
  deleteExpiredUploads,
  findUploadState,
  type UploadRow,
} from "#lib/db/queries/files/uploads.ts";
import { createUpload, sweepUploads } from "#lib/jobs/accept/uploads.ts";
import { closeAccount, sweepClosedAccounts } from "#lib/jobs/actions/close-account.ts";
import { uploadKey } from "#lib/jobs/storage-keys.ts";
import { FileGoneError, storage } from "#lib/storage/index.ts";
import { makeAccount } from "#tests/service/jobs.ts";

/** A file that a client sends to the URL of the object store, which this service cannot withdraw. */
const send = (upload: UploadRow) => storage().write(uploadKey(upload), Buffer.from("late"));

const file = { filename: "a.txt", bytes: 4, method: "put", token: null } as const;

/** Makes it this long since an account was closed, or since its uploads expired. */
async function age(accountId: string, hours: number) {
  const past = sql`now() - make_interval(hours => ${hours})`;
  await db().execute(sql`
    update uploads set expires_at = ${past}, files_deleted_at = files_deleted_at - make_interval(hours => ${hours})
    where account_id = ${accountId}`);
  await db().execute(sql`
    update accounts set deleted_at = ${past} where id = ${accountId} and deleted_at is not null`);
}

it("a file that arrives after the end of its upload is deleted with the row", async () => {
  const account = await makeAccount();
  const { id } = account;
  const upload = await createUpload(account, file);
  await age(id, 0);
  await sweepUploads();
  await send(upload);
  await age(id, 23);
  await sweepUploads();
  await deleteExpiredUploads(db());
  expect(await findUploadState(db(), id, upload.id)).toBeDefined();
  await age(id, 25);
  // The row is kept until the file is deleted.
  await deleteExpiredUploads(db());
  expect(await findUploadState(db(), id, upload.id)).toBeDefined();
  await sweepUploads();
  await expect(storage().readBytes(uploadKey(upload))).rejects.toThrow(FileGoneError);
  await deleteExpiredUploads(db());
  expect(await findUploadState(db(), id, upload.id)).toBeUndefined();
});

it("a file that arrives after its account was closed is deleted with the account", async () => {
  const account = await makeAccount();
  const upload = await createUpload(account, file);
  await closeAccount(account.id);
  await sweepClosedAccounts();
  await sweepUploads();
  await send(upload);
  await age(account.id, 25);
  await sweepClosedAccounts();
  expect(await findAccount(db(), account.id)).toBeUndefined();
  await expect(storage().readBytes(uploadKey(upload))).rejects.toThrow(FileGoneError);
});
