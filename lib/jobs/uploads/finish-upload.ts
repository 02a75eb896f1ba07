import { buffer } from "node:stream/consumers";
import type { UploadRow } from "#lib/db/queries/files/uploads.ts";
import { headBytes, sniffBytes } from "#lib/formats/sniff/sniff.ts";
import { storage } from "#lib/storage/index.ts";
import { partialFileOf, partialFiles } from "../accept/partial-upload.ts";
import { recordReceived } from "../accept/upload-completed.ts";
import { uploadKey } from "../storage-keys.ts";

/**
 * Makes the complete file of an upload an input for jobs. The caller is its writer. May be called again after a
 * failure. The SHA-256 stays unknown: the runner computes that of the job's copy.
 */
export async function finishUpload(upload: UploadRow): Promise<void> {
  await partialFiles().finish(partialFileOf(upload));
  const head = await storage().read(uploadKey(upload), { start: 0, end: headBytes - 1 });
  const { id: type } = await sniffBytes(await buffer(head), { filename: upload.filename });
  await recordReceived(upload, { type, sha256: null, attempt: null });
}
