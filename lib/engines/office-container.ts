import { stat } from "node:fs/promises";
import { type Entry, openPromise } from "yauzl";
import { JobError } from "#lib/errors.ts";

/** What an office file's ZIP directory may hold. */
const maxEntries = 10_000;
const maxRatio = 100;
const maxBytes = 1e9;

/** A ratio says nothing of small files: less than this cannot be a bomb. */
const harmlessBytes = 10e6;

/**
 * Reads the directory of the ZIP file at `path`, and nothing else of it. Throws
 * `JobError("too_complex")` where it would unpack to more than an office needs, and
 * `JobError("corrupt")` where it is no ZIP, has names that lead out of it or parts that overlap.
 */
export async function checkContainer(path: string): Promise<void> {
  const { size } = await stat(path);
  let [packed, unpacked] = [0, 0];
  try {
    // Names with `..`, a drive or a leading slash are errors of yauzl's own.
    const archive = await openPromise(path);
    if (archive.entryCount > maxEntries) throw tooComplex(`${maxEntries} parts`);
    // With strings decoded each entry is an `Entry`.
    for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
      packed += entry.compressedSize;
      unpacked += entry.uncompressedSize;
      if (unpacked > maxBytes) throw tooComplex("1 GB");
    }
  } catch (cause) {
    throw cause instanceof JobError ? cause : damaged(cause);
  }
  // Parts that share their bytes are how a small file unpacks to a huge one.
  if (packed > size) throw damaged(new Error("parts overlap"));
  if (unpacked > harmlessBytes && unpacked > packed * maxRatio) {
    throw tooComplex("a hundred times its size");
  }
}

function tooComplex(limit: string): JobError {
  return new JobError("too_complex", `The document unpacks to more than ${limit}.`);
}

function damaged(cause: unknown): JobError {
  return new JobError("corrupt", "The document is damaged.", { cause });
}
