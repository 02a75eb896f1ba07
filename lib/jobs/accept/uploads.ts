import { buffer } from "node:stream/consumers";
import { db, transaction } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import {
  deleteExpiredUploads,
  findUpload,
  insertUpload,
  type UnexpiredUploadLimits,
  type UploadRow,
} from "#lib/db/queries/files/uploads.ts";
import type { StoredSource } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { headBytes, sniffBytes } from "#lib/formats/sniff/sniff.ts";
import { createId } from "#lib/ids.ts";
import { mediaType } from "#lib/media/types.ts";
import { formatPlanBytes, plans } from "#lib/plans.ts";
import { FileGoneError, storage } from "#lib/storage/index.ts";
import { uploadFolder, uploadKey } from "../storage-keys.ts";
import { signUpload } from "../view/links.ts";
import { sendUploadCompleted } from "./upload-completed.ts";

/** How long an upload can be sent and used, if the plan keeps files that long. */
const maxLifetimeHours = 24;

/** Unexpired uploads of one account, of any size. */
const maxUploads = 1000;

export interface CreatedUpload {
  readonly id: string;
  /** The object store's own URL if it accepts files directly, else a URL of this service. */
  readonly url: string;
  readonly expiresAt: Date;
}

/**
 * Creates an upload of `bytes` and the signed URL for its one `PUT`. Throws `usage_limit_reached` if
 * the account's unexpired uploads would exceed its plan's monthly bytes: they use storage before a job
 * counts them.
 */
export async function createUpload(
  account: Pick<Account, "id" | "plan">,
  file: { filename: string; bytes: number },
): Promise<CreatedUpload> {
  const id = createId("upload");
  const { retentionHours, monthlyBytes } = plans[account.plan];
  const lifetimeHours = Math.min(maxLifetimeHours, retentionHours);
  const expiresAt = new Date(Date.now() + lifetimeHours * 3_600_000);
  const row = { id, accountId: account.id, ...file, expiresAt };
  const limits = { uploads: maxUploads, bytes: monthlyBytes };
  if (!(await transaction((tx) => insertUpload(tx, row, limits)))) {
    throw tooManyUploads(limits, lifetimeHours);
  }
  const directUrl = await storage().direct?.signUrl(uploadKey(id), file.bytes, expiresAt);
  return { id, url: directUrl ?? signUpload(id, expiresAt), expiresAt };
}

function tooManyUploads({ uploads, bytes }: UnexpiredUploadLimits, hours: number): RequestError {
  const most =
    bytes === null ? `${uploads} uploads` : `${uploads} uploads or ${formatPlanBytes(bytes)}`;
  const message = `Your plan allows ${most} in ${hours === 1 ? "an hour" : `${hours} hours`}. Wait until some uploads expire.`;
  return new RequestError("usage_limit_reached", message, { headers: { "Retry-After": "3600" } });
}

/** An account's upload whose file has been received. Undefined if there is none. */
export async function findReceivedUpload(
  accountId: string,
  id: string,
): Promise<UploadRow | undefined> {
  const upload = await findUpload(db(), accountId, id);
  if (!upload || upload.receivedAt) return upload;
  return findDirectUpload(upload);
}

/**
 * An upload whose file went directly to the object store, which does not notify this service. The file
 * is inspected again for every job, because it can be replaced until its URL expires. The runner
 * inspects the job's own copy once more.
 */
async function findDirectUpload(upload: UploadRow): Promise<UploadRow | undefined> {
  const { direct } = storage();
  const key = uploadKey(upload.id);
  try {
    if ((await direct?.size(key)) !== upload.bytes) return undefined;
    const head = await storage().read(key, { start: 0, end: headBytes - 1 });
    const { id: type } = await sniffBytes(await buffer(head), { filename: upload.filename });
    const received = { ...upload, type };
    // The store does not notify this service: the first job that uses the file completes the upload.
    await sendUploadCompleted(db(), received);
    return received;
  } catch (error) {
    if (error instanceof FileGoneError) return undefined;
    throw error;
  }
}

/**
 * Copies an upload to `key`, as a stored file of a job for which `stageUpload` was called. The upload
 * can be used again.
 */
export async function copyUploadToJob(upload: UploadRow, key: string): Promise<StoredSource> {
  await storage().copy(uploadKey(upload.id), key);
  const { filename, bytes, sha256, type } = upload;
  return {
    kind: "stored",
    key,
    filename,
    contentType: mediaType(type ?? "unknown").mime,
    bytes,
    sha256: sha256 ?? "",
  };
}

/** Deletes expired uploads and their files. */
export async function sweepUploads(): Promise<void> {
  await deleteUploadedFiles(await deleteExpiredUploads(db()));
}

/** Deletes the files of deleted uploads. */
export async function deleteUploadedFiles(ids: readonly string[]): Promise<void> {
  for (const id of ids) await storage().removeAll(uploadFolder(id));
}
