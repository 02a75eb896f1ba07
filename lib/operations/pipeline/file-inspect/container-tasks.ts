import { type Entry, openPromise } from "yauzl";
import {
  requireFiles,
  type WorkerCall,
  type WorkerOutput,
} from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { checkOfficePackage } from "#lib/formats/office/check-package.ts";
import { isEncryptedOffice } from "#lib/formats/office/encryption.ts";
import { officeFormat } from "#lib/formats/office/formats.ts";
import { isZipDamage } from "#lib/formats/zip/zip-errors.ts";
import { mediaTypeOfExtension } from "#lib/media/types.ts";

/** Functions of a worker that read containers. */

/** Whether an office file needs a password. An unencrypted package is also checked. */
export async function findEncryption({
  files,
  work: { limits },
}: WorkerCall): Promise<WorkerOutput<{ encrypted: boolean }>> {
  const [file] = requireFiles(files);
  const encrypted = await isEncryptedOffice(file.path);
  const { id } = mediaTypeOfExtension(file.extension);
  const isPackage = officeFormat(id)?.structure === "zip";
  if (isPackage && !encrypted) await checkOfficePackage(file.path, limits);
  return { outputs: [], result: { encrypted } };
}

export interface ArchiveFacts {
  readonly entries: number;
  readonly unpackedBytes: number;
  readonly encrypted: boolean;
}

/** Further entries of an archive are not counted. */
const maxCountedEntries = 100_000;

/** Reads the directory of a ZIP archive. */
export async function readArchive({ files }: WorkerCall): Promise<WorkerOutput<ArchiveFacts>> {
  const [{ path }] = requireFiles(files);
  let entries = 0;
  let unpackedBytes = 0;
  let encrypted = false;
  try {
    const archive = await openPromise(path, { decodeStrings: false });
    for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
      entries++;
      unpackedBytes += entry.uncompressedSize;
      encrypted ||= entry.isEncrypted();
      if (entries >= maxCountedEntries) break;
    }
  } catch (cause) {
    if (!isZipDamage(cause)) throw cause;
    throw new JobError("corrupt", "The archive is damaged.", { cause });
  }
  return { outputs: [], result: { entries, unpackedBytes, encrypted } };
}
