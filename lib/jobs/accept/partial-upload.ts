import type { UploadRow } from "#lib/db/queries/files/uploads.ts";
import { RequestError } from "#lib/errors.ts";
import { storage } from "#lib/storage/index.ts";
import type { PartialFile, PartialFiles } from "#lib/storage/port.ts";
import { uploadKey } from "../storage-keys.ts";

/** The storage's files that arrive in pieces. Throws `invalid_parameter` if it takes none. */
export function partialFiles(): PartialFiles {
  const { partial } = storage();
  if (partial) return partial;
  const message = "`method` must be put: the storage of this service takes files only as a whole.";
  throw new RequestError("invalid_parameter", message);
}

/** The file of an upload that is sent in pieces. */
export function partialFileOf(upload: UploadRow): PartialFile {
  const { bytes, partBytes, storeId } = upload;
  if (partBytes === null) throw new Error("the upload has no parts");
  return { key: uploadKey(upload), bytes, partBytes, storeId };
}
