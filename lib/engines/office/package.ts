import { stat } from "node:fs/promises";
import { type Entry, openPromise } from "yauzl";
import { JobError } from "#lib/errors.ts";
import { type FileLimits, limitError, widestLimits } from "#lib/limits/limits.ts";

/** A ratio says nothing of small files: less than this cannot be a bomb. */
const harmlessBytes = 10e6;

/**
 * Reads the directory of the ZIP file at `path`, and nothing else of it. Throws
 * `JobError("too_complex")` where it would unpack to more than an office needs, and
 * `JobError("corrupt")` where it is no ZIP, has names that lead out of it or parts that overlap.
 */
export async function checkContainer(path: string, caps: FileLimits = widestLimits): Promise<void> {
  const { officeEntries, officeBytes, officeRatio } = caps;
  const { size } = await stat(path);
  let [packed, unpacked] = [0, 0];
  try {
    // Names with `..`, a drive or a leading slash are errors of yauzl's own.
    const archive = await openPromise(path);
    let entries = 0;
    // With strings decoded each entry is an `Entry`. Leaving the loop closes the file.
    for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
      if (++entries > officeEntries) throw limitError("officeEntries", officeEntries);
      packed += entry.compressedSize;
      unpacked += entry.uncompressedSize;
      if (unpacked > officeBytes) throw limitError("officeBytes", officeBytes);
    }
  } catch (cause) {
    throw cause instanceof JobError ? cause : damaged(cause);
  }
  // Parts that share their bytes are how a small file unpacks to a huge one.
  if (packed > size) throw damaged(new Error("parts overlap"));
  if (unpacked > harmlessBytes && unpacked > packed * officeRatio) {
    throw limitError("officeRatio", officeRatio);
  }
}

function damaged(cause: unknown): JobError {
  return new JobError("corrupt", "The document is damaged.", { cause });
}
