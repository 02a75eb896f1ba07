import type { Readable } from "node:stream";
import { db } from "#lib/db/client.ts";
import { addReceivedPart, beginPart } from "#lib/db/queries/files/part-writers.ts";
import {
  expireUpload,
  findUnexpiredUpload,
  type UploadRow,
} from "#lib/db/queries/files/uploads.ts";
import { RequestError } from "#lib/errors.ts";
import { partialFileOf, partialFiles } from "../accept/partial-upload.ts";
import { deleteUploadedFiles } from "../accept/uploads.ts";
import { signUploadPart } from "../view/links.ts";
import { finishUpload } from "./finish-upload.ts";
import {
  lockedUpload,
  type UploadWriter,
  withPartWriter,
  withUploadWriter,
} from "./upload-writer.ts";

/** A part of a file, from 1. */
export interface UploadPart {
  readonly number: number;
  /** Where it begins in the file. */
  readonly offset: number;
  readonly bytes: number;
}

/** The parts of an upload, in order. */
export function listParts({ bytes, partBytes }: UploadRow): UploadPart[] {
  if (partBytes === null) return [];
  return Array.from({ length: Math.ceil(bytes / partBytes) }, (_, index) => {
    const offset = index * partBytes;
    return { number: index + 1, offset, bytes: Math.min(partBytes, bytes - offset) };
  });
}

/** The signed URL to which a part is sent: the object store's own if it takes parts directly. */
export async function signPart(upload: UploadRow, part: UploadPart): Promise<string> {
  const { parts } = partialFiles();
  if (!parts) return signUploadPart(upload.id, part.number, upload.expiresAt);
  return parts.signUrl(partialFileOf(upload), part.number, part.bytes, upload.expiresAt);
}

/** The parts of an upload that have not arrived. */
export async function listMissingParts(upload: UploadRow): Promise<UploadPart[]> {
  const { parts } = partialFiles();
  const stored = await parts?.list(partialFileOf(upload));
  const received = new Set(upload.receivedParts);
  return listParts(upload).filter(({ number, bytes }) =>
    stored ? stored.get(number) !== bytes : !received.has(number),
  );
}

/**
 * Stores a part that is sent to this service. It may be sent again until the upload is complete: then the request
 * that still sends it ends first, because bytes are written at their place. So a part that is being written is
 * missing, and no request writes to a file whose parts are all there. Throws `locked` if another request takes
 * over, `conflict` if the upload is complete, `gone` if it has ended.
 */
export async function storePart(upload: UploadRow, part: UploadPart, body: Readable) {
  const { id } = upload;
  await withPartWriter({ uploadId: id, number: part.number }, (writer) =>
    writePart(upload, part, body, writer).catch(async (error: unknown) => {
      // What the storage reports of a file that was deleted meanwhile says nothing to the caller.
      const { receivedAt } = await requireOpenUpload(id);
      throw receivedAt ? alreadyComplete() : error;
    }),
  );
}

async function writePart(
  upload: UploadRow,
  part: UploadPart,
  body: Readable,
  { token, signal }: UploadWriter,
): Promise<void> {
  const partOf = { uploadId: upload.id, number: part.number };
  if (!(await beginPart(db(), partOf))) throw lockedUpload();
  signal.throwIfAborted();
  signal.addEventListener("abort", () => body.destroy(signal.reason), { once: true });
  let stored = 0;
  const onStored = async (offset: number) => {
    stored = offset - part.offset;
    return true;
  };
  const write = { offset: part.offset, bytes: part.bytes, onStored };
  await partialFiles().append(partialFileOf(upload), body, write);
  if (stored !== part.bytes) throw wrongPartSize(part.bytes);
  if (!(await addReceivedPart(db(), partOf, token))) throw lockedUpload();
}

export function alreadyComplete(): RequestError {
  return new RequestError("conflict", "The upload is already complete.");
}

export function wrongPartSize(bytes: number): RequestError {
  return new RequestError("invalid_input", `This part must have exactly ${bytes} bytes.`);
}

/**
 * Makes the parts of an upload its file. An upload that is complete stays so. Throws `conflict` if parts are
 * missing. Resolves with the upload.
 */
export async function completeParts(id: string): Promise<UploadRow> {
  return withUploadWriter(id, async () => {
    const upload = await requireOpenUpload(id);
    if (upload.receivedAt) return upload;
    const missing = await listMissingParts(upload).catch(async (error: unknown) => {
      // The store has no parts any more: the last request may have finished the file and then failed.
      await finishUpload(upload).catch(() => Promise.reject(error));
      return [];
    });
    if (missing.length > 0) throw missingParts(missing);
    await finishUpload(upload);
    return requireOpenUpload(id);
  });
}

function missingParts(missing: readonly UploadPart[]): RequestError {
  const shown = missing.slice(0, 10).map(({ number }) => number);
  const rest = missing.length > shown.length ? ` and ${missing.length - shown.length} more` : "";
  const message = `These parts have not arrived: ${shown.join(", ")}${rest}. Send them first.`;
  return new RequestError("conflict", message);
}

/** Ends an upload and deletes what has arrived. The sweep deletes what cannot be deleted now. */
export async function abortUpload(upload: UploadRow): Promise<void> {
  // What still writes would write after the deletion.
  await withUploadWriter(upload.id, async () => {
    if (await expireUpload(db(), upload.id)) await deleteUploadedFiles(upload);
  });
}

async function requireOpenUpload(id: string): Promise<UploadRow> {
  const upload = await findUnexpiredUpload(db(), id);
  if (!upload) throw new RequestError("gone", "This upload has expired or was deleted.");
  return upload;
}
