import { db } from "#lib/db/client.ts";
import { findUnexpiredUpload, type UploadRow } from "#lib/db/queries/files/uploads.ts";
import { RequestError } from "#lib/errors.ts";

export function uploadLinkError(): RequestError {
  const message = "This upload URL is not valid or has expired. Create a new upload.";
  return new RequestError("forbidden", message);
}

/** The upload of a signed URL of the method `multipart`. */
export async function requireMultipart(id: string): Promise<UploadRow> {
  const upload = await findUnexpiredUpload(db(), id);
  if (upload?.method === "multipart") return upload;
  throw new RequestError("gone", "This upload has expired or was deleted. Create a new one.");
}
