import { buffer } from "node:stream/consumers";
import { db, transaction } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import {
  findUpload,
  findUploadState,
  insertUpload,
  listExpiredUploads,
  markUploadDeleted,
  setStoreId,
  type UnexpiredUploadLimits,
  type UploadRow,
} from "#lib/db/queries/files/uploads.ts";
import { saveIdempotentResponse } from "#lib/db/queries/jobs/idempotency-keys.ts";
import type { StoredSource } from "#lib/db/schema/jobs.ts";
import type { UploadMethod } from "#lib/db/schema/uploads/uploads.ts";
import { RequestError } from "#lib/errors.ts";
import { partBytesFor } from "#lib/files/part-size.ts";
import { headBytes, sniffBytes } from "#lib/formats/sniff/sniff.ts";
import { createId } from "#lib/ids.ts";
import { removePicturesOfUpload } from "#lib/images/cache/purges.ts";
import { mediaType } from "#lib/media/types.ts";
import { formatPlanBytes, plans } from "#lib/plans.ts";
import { retentionHours } from "#lib/quotas/retention.ts";
import { FileGoneError, FileReplacedError, storage } from "#lib/storage/index.ts";
import { deleteEach } from "../delete-each.ts";
import { uploadFolder, uploadKey } from "../storage-keys.ts";
import { signUpload } from "../view/links.ts";
import { AlreadyCreatedError } from "./already-created-error.ts";
import { partialFileOf, partialFiles } from "./partial-upload.ts";
import { recordReceived } from "./upload-completed.ts";

/** How long an upload can be sent and used, if files are kept that long. */
const maxLifetimeHours = 24;

/** Unexpired uploads of one account, of any size. */
const maxUploads = 1000;

/** Unexpired uploads of a browser token for each job that it may create: a job may have several files. */
const uploadsOfTokenJob = 20;

/** A file that is about to be uploaded. */
export interface NewUpload {
  readonly filename: string;
  readonly bytes: number;
  readonly method: UploadMethod;
  /** The browser token of the request; null if it has none. */
  readonly token: { readonly id: string; readonly maxJobs: number } | null;
  /** The id is saved under the client's key, so that the same request creates no second upload. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: string } | null;
}

/** What is saved of the response to a request that creates an upload: its URLs are signed again. */
export interface SavedUpload {
  readonly id: string;
}

/** The most parts of an upload: tus sends them on itself, and clients have a URL for each. */
const maxParts = { tus: 10_000, multipart: 1000 } as const;

/**
 * Smaller parts cost a request each; larger ones are lost as a whole when a connection breaks, and take as much
 * memory where this service sends them on. S3 accepts none below 5 MiB.
 */
const minPartBytes = 8 * 1024 ** 2;

/**
 * Creates an upload. Throws `usage_limit_reached` if the account's unexpired uploads would exceed its plan's
 * monthly bytes, or those of a browser token half of them, because they use storage before a job counts them,
 * `invalid_parameter` if the storage takes only whole files and `method` is another one than `put`, and
 * `AlreadyCreatedError`.
 */
export async function createUpload(
  account: Pick<Account, "id" | "plan">,
  { token, idempotency, ...file }: NewUpload,
): Promise<UploadRow> {
  if (file.method !== "put") partialFiles();
  const { monthlyBytes } = plans[account.plan];
  const lifetimeHours = Math.min(maxLifetimeHours, retentionHours(account.plan));
  const { method } = file;
  const partBytes =
    method === "put"
      ? null
      : partBytesFor(file.bytes, { maxParts: maxParts[method], minBytes: minPartBytes });
  const row = {
    id: createId("upload"),
    accountId: account.id,
    ...file,
    tokenId: token?.id ?? null,
    partBytes,
    expiresAt: new Date(Date.now() + lifetimeHours * 3_600_000),
  };
  const limits: UnexpiredUploadLimits[] = [{ uploads: maxUploads, bytes: monthlyBytes }];
  if (token) {
    // The pages that hold a token leave room for the account's own requests.
    const uploads = Math.min(token.maxJobs * uploadsOfTokenJob, maxUploads / 2);
    limits.push({ tokenId: token.id, uploads, bytes: monthlyBytes && monthlyBytes / 2 });
  }
  const inserted = await transaction(async (tx) => {
    const result = await insertUpload(tx, row, limits);
    if (idempotency) {
      const body: SavedUpload = { id: row.id };
      const response = { accountId: account.id, ...idempotency, status: 201, body };
      if (!(await saveIdempotentResponse(tx, response))) throw new AlreadyCreatedError();
    }
    // After the key: the upload that reached the limit may be that of the same request.
    if ("exceeded" in result) throw tooManyUploads(result.exceeded, lifetimeHours);
    return result.inserted;
  });
  return beginUpload(inserted);
}

/** Prepares the storage for an upload in pieces, unless an earlier request with its `Idempotency-Key` has done so. */
export async function beginUpload(upload: UploadRow): Promise<UploadRow> {
  const { id, method, storeId, receivedAt, expiresAt } = upload;
  const isOver = receivedAt !== null || expiresAt <= new Date();
  if (method === "put" || storeId !== null || isOver) return upload;
  const begun = { ...upload, storeId: await partialFiles().begin(uploadKey(upload)) };
  if (begun.storeId === null || (await setStoreId(db(), id, begun.storeId))) return begun;
  // Two requests with one key went on with an upload that a third one did not begin.
  await partialFiles().discard(partialFileOf(begun));
  return (await findUploadState(db(), upload.accountId, id)) ?? upload;
}

/** The URL for the one `PUT` of an upload: the object store's own if it accepts files directly, else one of this service. */
export async function signPut(upload: UploadRow): Promise<string> {
  const { id, bytes, expiresAt } = upload;
  const direct = await storage().direct?.signUrl(uploadKey(upload), bytes, expiresAt);
  return direct ?? signUpload(id, expiresAt);
}

function tooManyUploads(limit: UnexpiredUploadLimits, hours: number): RequestError {
  const { uploads, bytes, tokenId } = limit;
  const most =
    bytes === null ? `${uploads} uploads` : `${uploads} uploads or ${formatPlanBytes(bytes)}`;
  const owner = tokenId ? "This browser token" : "Your plan";
  const message = `${owner} allows ${most} in ${hours === 1 ? "an hour" : `${hours} hours`}. Wait until some uploads expire.`;
  return new RequestError("usage_limit_reached", message, { headers: { "Retry-After": "3600" } });
}

/**
 * An account's upload whose file has been received. Undefined if there is none. Throws `invalid_input` if its file was
 * replaced after that.
 */
export async function findReceivedUpload(
  accountId: string,
  id: string,
): Promise<UploadRow | undefined> {
  const upload = await findUpload(db(), accountId, id);
  const isFinal = upload?.receivedAt && locateUpload(upload).version === undefined;
  return !upload || isFinal ? upload : findDirectUpload(upload);
}

/** Where a received file is in storage. */
export function locateUpload(upload: UploadRow): {
  readonly key: string;
  /** If it went to the object store itself, where it can be replaced until its URL expires. */
  readonly version?: string;
} {
  const { method, storeId } = upload;
  const key = uploadKey(upload);
  return method === "put" && storeId !== null ? { key, version: storeId } : { key };
}

/** An upload whose file went directly to the object store. The runner inspects the job's own copy once more. */
async function findDirectUpload(upload: UploadRow): Promise<UploadRow | undefined> {
  const key = uploadKey(upload);
  try {
    const file = await storage().direct?.find(key);
    if (upload.receivedAt && file?.version !== upload.storeId) throw new FileReplacedError();
    if (upload.receivedAt) return upload;
    if (file?.bytes !== upload.bytes) return undefined;
    const head = await storage().read(key, { start: 0, end: headBytes - 1 }, file.version);
    const { id: type } = await sniffBytes(await buffer(head), { filename: upload.filename });
    // The store does not notify this service: who finds the file first completes the upload.
    const received = { type, sha256: null, attempt: null, storeId: file.version };
    await recordReceived(upload, received);
    // Another request may have been first, with the file before this one.
    return await findReceivedUpload(upload.accountId, upload.id);
  } catch (error) {
    if (error instanceof FileGoneError) return undefined;
    // Until it is complete, the last file that was sent is that of the upload.
    if (error instanceof FileReplacedError && !upload.receivedAt) return findDirectUpload(upload);
    throw toRequestError(error);
  }
}

/** The error of a request that names an upload whose file was replaced; any other error as it is. */
function toRequestError(error: unknown): unknown {
  if (!(error instanceof FileReplacedError)) return error;
  return new RequestError("invalid_input", error.message, { cause: error });
}

/**
 * Copies an upload to `key`, as a stored file of a job for which `stageUpload` was called. The upload
 * can be used again. Throws `invalid_input` if its file was replaced.
 */
export async function copyUploadToJob(upload: UploadRow, key: string): Promise<StoredSource> {
  const source = locateUpload(upload);
  try {
    await storage().copy(source.key, key, source.version);
  } catch (error) {
    throw toRequestError(error);
  }
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

/** Deletes the files of expired uploads, of all accounts or of one. */
export async function sweepUploads(accountId?: string): Promise<void> {
  await deleteEach(
    (except) => listExpiredUploads(db(), { accountId, except }),
    deleteUploadedFiles,
  );
}

/** Deletes the files of an expired upload and the pictures of them, or what has arrived of one that is not complete. */
export async function deleteUploadedFiles(upload: UploadRow): Promise<void> {
  const isPartial = upload.partBytes !== null && (upload.storeId !== null || storage().linksFiles);
  if (isPartial && !upload.receivedAt) await storage().partial?.discard(partialFileOf(upload));
  await storage().removeAll(uploadFolder(upload.id));
  await removePicturesOfUpload(upload);
  await markUploadDeleted(db(), upload.id);
}
