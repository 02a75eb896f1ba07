import { constants, copyFile, readFile, writeFile } from "node:fs/promises";
import { type Entry, openPromise } from "yauzl";
import { isLocked } from "#lib/engines/office/encryption.ts";
import { JobError } from "#lib/errors.ts";
import { type FileLimits, limitError } from "#lib/limits/limits.ts";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import { planAudioFrames } from "#lib/scrub/audio-tags.ts";
import { LockedDocumentError, OldDocumentError } from "#lib/scrub/document-errors.ts";
import { planFilm, UnsupportedFilmError } from "#lib/scrub/isobmff.ts";
import { planLegacyOffice } from "#lib/scrub/legacy-office/index.ts";
import { planRtf } from "#lib/scrub/legacy-office/rtf.ts";
import { planMatroska } from "#lib/scrub/matroska.ts";
import { cleanOffice } from "#lib/scrub/office.ts";
import { patchFile } from "#lib/scrub/patch.ts";
import { planPdfCleaning } from "#lib/scrub/pdf.ts";
import { copyPieces } from "#lib/scrub/segments.ts";
import { planTiff, RawPhotoError } from "#lib/scrub/tiff.ts";
import { planWebp } from "#lib/scrub/webp.ts";
import { planZip } from "#lib/scrub/zip.ts";
import { type OfficePacking, officeFormat } from "../office/formats.ts";
import { prepareOffice } from "../office/input.ts";
import { checkContainer } from "../office/package.ts";
import { failAs } from "../sandbox/failures.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import type { TaskAnswer } from "./image-tasks.ts";

/** Taking containers apart, as an image worker does it: readers of hostile bytes stay in the sandbox. */

type Scrub = (from: string, to: string, caps: FileLimits) => Promise<void>;

const inPlace =
  (plan: Parameters<typeof patchFile>[1]): Scrub =>
  async (from, to) => {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    await patchFile(to, plan);
  };

const inPieces =
  (plan: Parameters<typeof copyPieces>[2]): Scrub =>
  (from, to) =>
    copyPieces(from, to, plan);

/** Readers of containers, and what of a file each leaves out. */
const scrubs = {
  film: inPlace(planFilm),
  matroska: inPlace(planMatroska),
  tiff: inPlace(planTiff),
  webp: inPieces(planWebp),
  "audio-frames": inPieces(planAudioFrames),
  "legacy-office": inPlace(planLegacyOffice),
  rtf: inPlace(planRtf),
  office: async (from, to, caps) => {
    if (await isLocked(from)) throw new LockedDocumentError();
    await checkContainer(from, caps);
    await copyPieces(from, to, () => planZip(from, cleanOffice));
  },
} satisfies Record<string, Scrub>;

export type ScrubKind = keyof typeof scrubs;

/** Writes `file` without its metadata, by the reader `kind`. */
export async function scrubTask(
  file: WorkFile,
  kind: ScrubKind,
  work: WorkFolder,
): Promise<TaskAnswer> {
  const output = work.output(file.extension);
  await scrubs[kind](file.path, output.path, work.limits).catch(explainScrub);
  return { outputs: [output] };
}

function explainScrub(cause: unknown): never {
  if (cause instanceof LockedDocumentError) {
    throw new JobError("encrypted", "The document is protected by a password.", { cause });
  }
  if (cause instanceof OldDocumentError) {
    const sentence = `Documents from before ${cause.program} cannot be changed.`;
    throw new JobError("unsupported_type", sentence, { cause });
  }
  if (cause instanceof RawPhotoError) {
    throw new JobError("unsupported_type", "Raw photographs (DNG) cannot be changed.", { cause });
  }
  if (cause instanceof UnsupportedFilmError) {
    const sentence = "This form of MP4 or QuickTime file is not supported; send it unfragmented.";
    throw new JobError("unsupported_type", sentence, { cause });
  }
  if (isDamage(cause)) throw failAs("corrupt", cause);
  throw cause;
}

/**
 * What the readers of structures throw where a length or an offset leads nowhere, and zlib and yauzl
 * (which has no class of its own for it) where an archive is broken. A full disk is none of these.
 */
function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : undefined;
  return error instanceof RangeError || code?.startsWith("Z_") || (!code && error.name === "Error");
}

/** Prepares an office document for LibreOffice; text is written again as an output. */
export async function officeTask(
  file: WorkFile,
  packing: OfficePacking,
  work: WorkFolder,
): Promise<TaskAnswer> {
  const { text, options } = await prepareOffice(file, packing, work);
  return { outputs: text ? [text] : [], result: { options } };
}

/** Whether an office file needs a password; that of a package which does not is checked besides. */
export async function lockTask(file: WorkFile, { limits: caps }: WorkFolder): Promise<TaskAnswer> {
  const locked = await isLocked(file.path);
  const { id } = mediaTypeOfExtension(file.extension);
  const isPackage = officeFormat(id)?.packing === "zip";
  if (isPackage && !locked) await checkContainer(file.path, caps);
  return { outputs: [], result: { locked } };
}

/** Beyond it the figures are of the first so many. */
const maxCountedEntries = 100_000;

/** What the directory of a ZIP archive says. */
export async function archiveTask({ path }: WorkFile): Promise<TaskAnswer> {
  let [entries, unpackedBytes, encrypted] = [0, 0, false];
  try {
    const archive = await openPromise(path, { decodeStrings: false });
    for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
      entries++;
      unpackedBytes += entry.uncompressedSize;
      encrypted ||= entry.isEncrypted();
      if (entries >= maxCountedEntries) break;
    }
  } catch (cause) {
    throw new JobError("corrupt", "The archive is damaged.", { cause });
  }
  return { outputs: [], result: { entries, unpackedBytes, encrypted } };
}

/** From the structure of a PDF, as qpdf tells it in JSON, writes what is to change in it. */
export async function planPdfTask(structure: WorkFile, work: WorkFolder): Promise<TaskAnswer> {
  const { pdfPages } = work.limits;
  const { update, encrypted, pages } = planPdfCleaning(await readFile(structure.path, "utf8"));
  if (pages > pdfPages) throw limitError("pdfPages", pdfPages);
  const output = work.scratch("json");
  await writeFile(output.path, update);
  return { outputs: [output], result: { encrypted } };
}
