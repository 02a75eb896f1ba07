import { type Entry, openPromise } from "yauzl";
import { JobError } from "#lib/errors.ts";
import { statRegular } from "#lib/files/regular-files.ts";
import { type FileLimits, limitError, widestLimits } from "#lib/limits/limits.ts";
import { isZipDamage } from "../zip/zip-errors.ts";

/** The compression ratio is not checked below this uncompressed size, which is harmless. */
export const ratioExemptBytes = 10e6;

/**
 * Checks the directory of the ZIP file at `path`, and reads nothing else of it. Throws
 * `JobError("too_complex")` if the uncompressed document would exceed a limit, and
 * `JobError("corrupt")` if the file is not a ZIP, has unsafe names or overlapping entries.
 */
export async function checkOfficePackage(
  path: string,
  limits: FileLimits = widestLimits,
): Promise<void> {
  const { officeEntries, officeBytes, officeRatio } = limits;
  const { size } = await statRegular(path);
  let compressed = 0;
  let uncompressed = 0;
  try {
    // yauzl itself rejects names with `..`, a drive letter or a leading slash.
    const archive = await openPromise(path);
    let entries = 0;
    // Entries are of type `Entry` because strings are decoded. Leaving the loop closes the file.
    for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
      if (++entries > officeEntries) throw limitError("officeEntries", officeEntries);
      compressed += entry.compressedSize;
      uncompressed += entry.uncompressedSize;
      if (uncompressed > officeBytes) throw limitError("officeBytes", officeBytes);
    }
  } catch (cause) {
    throw isZipDamage(cause) ? damagedDocument(cause) : cause;
  }
  // A ZIP bomb can make entries share compressed bytes.
  if (compressed > size) throw damagedDocument(new Error("entries overlap"));
  if (uncompressed > ratioExemptBytes && uncompressed > compressed * officeRatio) {
    throw limitError("officeRatio", officeRatio);
  }
}

function damagedDocument(cause: unknown): JobError {
  return new JobError("corrupt", "The document is damaged.", { cause });
}
