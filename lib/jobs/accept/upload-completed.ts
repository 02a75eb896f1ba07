import { type Queryable, transaction } from "#lib/db/client.ts";
import { markReceived, type ReceivedFile, type UploadRow } from "#lib/db/queries/files/uploads.ts";
import { mediaType } from "#lib/media/types.ts";
import { sendAccountEvent } from "#lib/webhooks/endpoints/account-event.ts";
import { uploadEventData } from "#lib/webhooks/endpoints/event-data.ts";

/** Records that the file of an upload was received, and writes its event. False as `markReceived`. */
export function recordReceived(upload: UploadRow, file: ReceivedFile): Promise<boolean> {
  return transaction(async (tx) => {
    const isFirst = await markReceived(tx, upload.id, file);
    if (isFirst) await sendUploadCompleted(tx, { ...upload, ...file });
    return isFirst;
  });
}

/** Writes `upload.completed` for the account's endpoints, in the transaction that completes the upload. Once for each. */
async function sendUploadCompleted(
  tx: Queryable,
  { id, accountId, filename, bytes, type, sha256, createdAt, expiresAt }: UploadRow,
): Promise<void> {
  const contentType = mediaType(type ?? "unknown").mime;
  const upload = { id, filename, bytes, contentType, sha256, createdAt, expiresAt };
  const data = uploadEventData(upload);
  await sendAccountEvent(tx, { accountId, event: "upload.completed", subject: id, data });
}
