import { buffer } from "node:stream/consumers";
import { db, transaction } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import {
  deleteExpiredUploads,
  findUpload,
  insertUpload,
  type UploadRow,
} from "#lib/db/queries/files/uploads.ts";
import type { JobSource } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { createId } from "#lib/ids.ts";
import { headBytes, sniffBytes } from "#lib/media/sniff/sniff.ts";
import { mediaType } from "#lib/media/types.ts";
import { plans } from "#lib/plans.ts";
import { FileGoneError, storage } from "#lib/storage/index.ts";
import { signUpload } from "../view/links.ts";
import { stageUpload } from "./staged-uploads.ts";

/** How long an announced upload may be sent and used. */
const lifetimeMs = 24 * 3_600_000;

/** Uploads of one account that may wait at once, whatever their size. */
const mostWaiting = 1000;

export interface CreatedUpload {
  readonly id: string;
  /** The object store's own address where it takes files itself, else ours. */
  readonly url: string;
  readonly expiresAt: Date;
}

/**
 * Announces a file of `bytes` and makes the signed address that takes it, once. Throws
 * `usage_limit_reached` where the account's uploads of a day would be more than its plan has in a
 * month: they cost space before any job counts them.
 */
export async function createUpload(
  account: Pick<Account, "id" | "plan">,
  file: { filename: string; bytes: number },
): Promise<CreatedUpload> {
  const id = createId("upload");
  const expiresAt = new Date(Date.now() + lifetimeMs);
  const row = { id, accountId: account.id, ...file, expiresAt };
  const room = { uploads: mostWaiting, bytes: plans[account.plan].monthlyBytes };
  if (!(await transaction((tx) => insertUpload(tx, row, room)))) throw tooManyUploads();
  const direct = await storage().direct?.address(uploadKey(id), file.bytes, expiresAt);
  return { id, url: direct ?? signUpload(id, expiresAt), expiresAt };
}

function tooManyUploads(): RequestError {
  const sentence =
    "The uploads of your last 24 hours fill what your plan has room for; wait until they expire.";
  return new RequestError("usage_limit_reached", sentence, { headers: { "Retry-After": "3600" } });
}

export function uploadKey(id: string): string {
  return `${uploadFolder(id)}/file`;
}

function uploadFolder(id: string): string {
  return `uploads/${id}`;
}

/** An account's upload that has arrived; undefined where there is none, or nothing has arrived yet. */
export async function findReceivedUpload(
  accountId: string,
  id: string,
): Promise<UploadRow | undefined> {
  const upload = await findUpload(db(), accountId, id);
  if (!upload || upload.receivedAt) return upload;
  return findDirectUpload(upload);
}

/**
 * A file that went to the object store itself, which tells nobody. It is looked at anew for each
 * job, for its address works until it expires; the runner judges the job's own copy once more.
 */
async function findDirectUpload(upload: UploadRow): Promise<UploadRow | undefined> {
  const { direct } = storage();
  const key = uploadKey(upload.id);
  try {
    if ((await direct?.size(key)) !== upload.bytes) return undefined;
    const head = await storage().read(key, { start: 0, end: headBytes - 1 });
    const { id: type } = await sniffBytes(await buffer(head), { filename: upload.filename });
    return { ...upload, type };
  } catch (error) {
    if (error instanceof FileGoneError) return undefined;
    throw error;
  }
}

/** The upload as a stored file of the job `jobId`, under `key`; the upload itself may be used again. */
export async function takeUpload(
  upload: UploadRow,
  jobId: string,
  key: string,
): Promise<JobSource> {
  await stageUpload(jobId);
  await storage().copy(uploadKey(upload.id), key);
  const { filename, bytes, sha256, type } = upload;
  return {
    kind: "upload",
    key,
    filename,
    contentType: mediaType(type ?? "unknown").mime,
    bytes,
    sha256: sha256 ?? "",
  };
}

/** Deletes the uploads past their time. */
export async function sweepUploads(): Promise<void> {
  for (const id of await deleteExpiredUploads(db())) await storage().removeAll(uploadFolder(id));
}
