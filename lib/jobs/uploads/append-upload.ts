import { createHash, type Hash } from "node:crypto";
import type { Readable } from "node:stream";
import { db } from "#lib/db/client.ts";
import { saveOffset } from "#lib/db/queries/files/upload-writers.ts";
import { findUnexpiredUpload, type UploadRow } from "#lib/db/queries/files/uploads.ts";
import { RequestError } from "#lib/errors.ts";
import { partialFileOf, partialFiles } from "../accept/partial-upload.ts";
import { finishUpload } from "./finish-upload.ts";
import { lockedUpload, type UploadWriter, withUploadWriter } from "./upload-writer.ts";

/** The algorithms of checksums, as tus names them. */
export const checksumAlgorithms = ["md5", "sha1", "sha256", "sha384", "sha512"] as const;

export interface Checksum {
  readonly algorithm: (typeof checksumAlgorithms)[number];
  /** In base64. */
  readonly digest: string;
}

/** Bytes of a file from `offset`. */
export interface AppendedBytes {
  readonly offset: number;
  readonly body: Readable;
  /** The length of the body, if the request says it. */
  readonly length: number | undefined;
  /** Of the body. If it is wrong, nothing of the body is kept. */
  readonly checksum?: Checksum | undefined;
}

/** Reads the offset from which the next bytes are to be sent. Ends the request that writes at present. */
export async function readOffset(upload: UploadRow): Promise<UploadRow> {
  if (upload.receivedAt) return upload;
  return withUploadWriter(upload.id, async () => {
    const current = await requireUpload(upload.id);
    await finishIfComplete(current);
    return current;
  });
}

/**
 * Adds bytes to an upload, and makes it an input for jobs once all are there. Resolves with the new offset. If
 * the body ends early, what has arrived is kept and its error is thrown. Throws `conflict` for a wrong offset,
 * `too_large`, `checksum_mismatch`, and `locked` if another request takes over.
 */
export async function appendToUpload(id: string, bytes: AppendedBytes): Promise<number> {
  return withUploadWriter(id, async (writer) => {
    const upload = await requireUpload(id);
    if (upload.receivedBytes !== bytes.offset) throw wrongOffset(upload.receivedBytes);
    const left = upload.bytes - bytes.offset;
    if ((bytes.length ?? 0) > left) throw tooManyBytes(left);
    const receivedBytes = left > 0 ? await append(upload, bytes, writer) : bytes.offset;
    await finishIfComplete({ ...upload, receivedBytes });
    return receivedBytes;
  });
}

async function append(
  upload: UploadRow,
  { offset, body, checksum }: AppendedBytes,
  writer: UploadWriter,
): Promise<number> {
  const digest = checksum && new BodyDigest(checksum);
  let stored = offset;
  const onStored = async (next: number) => {
    // Of a body with a checksum, all is kept or nothing.
    if (digest && !digest.hasEnded) return false;
    digest?.verify();
    if (!(await saveOffset(db(), upload.id, writer.token, next))) throw lockedUpload();
    stored = next;
    return true;
  };
  const stop = () => body.destroy(writer.signal.reason);
  writer.signal.addEventListener("abort", stop, { once: true });
  const left = upload.bytes - offset;
  const source = digest ? digest.pass(body) : body;
  await partialFiles().append(partialFileOf(upload), source, { offset, bytes: left, onStored });
  return stored;
}

async function finishIfComplete(upload: UploadRow): Promise<void> {
  if (!upload.receivedAt && upload.receivedBytes === upload.bytes) await finishUpload(upload);
}

/** Computes the checksum of a body. */
class BodyDigest {
  readonly #hash: Hash;
  readonly #expected: string;
  hasEnded = false;
  #isVerified = false;

  constructor({ algorithm, digest }: Checksum) {
    this.#hash = createHash(algorithm);
    this.#expected = digest;
  }

  async *pass(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      this.#hash.update(chunk);
      yield chunk;
    }
    this.hasEnded = true;
  }

  /** Throws `checksum_mismatch`. */
  verify(): void {
    if (this.#isVerified) return;
    if (this.#hash.digest("base64") !== this.#expected) {
      const message = "The bytes do not have the checksum of `Upload-Checksum`. Send them again.";
      throw new RequestError("checksum_mismatch", message);
    }
    this.#isVerified = true;
  }
}

/** The upload as it is once this request is its writer. */
async function requireUpload(id: string): Promise<UploadRow> {
  const upload = await findUnexpiredUpload(db(), id);
  if (upload) return upload;
  throw new RequestError("gone", "This upload has expired or was deleted. Create a new one.");
}

function wrongOffset(offset: number): RequestError {
  const message = `\`Upload-Offset\` must be ${offset}, the number of bytes that have arrived.`;
  return new RequestError("conflict", message);
}

function tooManyBytes(left: number): RequestError {
  const message = `The body must have at most ${left} bytes: no more of the file are missing.`;
  return new RequestError("too_large", message);
}
