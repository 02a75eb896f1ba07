import { readTags, type Tags, type TagValue } from "#lib/engines/exiftool/exiftool.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { normalizePdf } from "#lib/operations/shared/pdf/normalize-pdf.ts";

const maxNames = 500;

/** Groups that exiftool derives or that describe the structure of the file, and the embedded preview. */
const structuralGroups = /^(File|Composite|IFD1)$/;

/** Names that the result can have: those of a damaged file may be anything. */
const validName = /^[\w :.()/-]{1,100}$/;

interface ComparedFiles {
  readonly before: WorkFile;
  readonly after: WorkFile;
  /** Whether both are encrypted PDF files, which open without a password. */
  readonly encrypted: boolean | undefined;
}

/**
 * The names of the tags of `before` that `after` no longer has, as exiftool reads them, such as `GPS:GPSLatitude`, in
 * the order of the file; at most 500. Undefined if the tags of one file cannot be read: the file is stripped
 * all the same.
 */
export async function findRemovedTags(
  { before, after, encrypted }: ComparedFiles,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  // exiftool takes seconds to decrypt a PDF with a key of 256 bits, and qpdf some milliseconds.
  const read = async (file: WorkFile) =>
    readTags(encrypted ? await normalizePdf(file, work, signal) : file, signal);
  const reads = [read(before), read(after)] as const;
  try {
    const [first, second] = await Promise.all(reads);
    return compareTags(first, second);
  } catch (error) {
    if (signal.aborted || !(error instanceof JobError)) throw error;
    log.debug({ err: error }, "removed tags are not known");
    return undefined;
  } finally {
    // The other file must not be read after the end of the job.
    await Promise.allSettled(reads);
  }
}

/** The names of the tags of `before` that are missing or empty in `after`. */
export function compareTags(before: Tags, after: Tags): string[] {
  const names: string[] = [];
  for (const [name, value] of before) {
    const [group = ""] = name.split(":");
    if (structuralGroups.test(group) || !validName.test(name) || isBlank(value)) continue;
    const left = after.get(name);
    if (left === undefined || isBlank(left)) names.push(name);
    if (names.length === maxNames) break;
  }
  return names;
}

/** What is left of a value that was overwritten in place. */
function isBlank(value: TagValue): boolean {
  return value === "" || value === 0 || (typeof value === "string" && /^[0: .]+$/.test(value));
}
