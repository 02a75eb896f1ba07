import { stat } from "node:fs/promises";
import { type Entry, open } from "yauzl";
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
  await readDirectory(path, (entry) => {
    packed += entry.compressedSize;
    unpacked += entry.uncompressedSize;
    if (unpacked > maxBytes) throw tooComplex("1 GB");
  });
  // Parts that share their bytes are how a small file unpacks to a huge one.
  if (packed > size) throw damaged(new Error("parts overlap"));
  if (unpacked > harmlessBytes && unpacked > packed * maxRatio) {
    throw tooComplex("a hundred times its size");
  }
}

/** Calls `onEntry` for each part; what it throws ends the reading. */
function readDirectory(path: string, onEntry: (entry: Entry) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Names with `..`, a drive or a leading slash are errors of yauzl's own.
  open(path, { lazyEntries: true, autoClose: false }, (error, directory) => {
    if (error) return reject(damaged(error));
    promise.catch(() => {}).finally(() => directory.close());
    if (directory.entryCount > maxEntries) return reject(tooComplex(`${maxEntries} parts`));
    directory.on("error", (cause) => reject(damaged(cause)));
    directory.on("end", resolve);
    directory.on("entry", (entry: Entry) => {
      try {
        onEntry(entry);
        directory.readEntry();
      } catch (cause) {
        reject(cause);
      }
    });
    directory.readEntry();
  });
  return promise;
}

function tooComplex(limit: string): JobError {
  return new JobError("too_complex", `The document unpacks to more than ${limit}.`);
}

function damaged(cause: unknown): JobError {
  return new JobError("corrupt", "The document is damaged.", { cause });
}
