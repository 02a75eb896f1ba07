import { createJobFailure } from "#lib/engines/sandbox/failures/failures.ts";
import {
  requireFiles,
  type WorkerCall,
  type WorkerOutput,
} from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { openRegular, writeNew } from "#lib/files/regular-files.ts";
import { checkOfficePackage } from "#lib/formats/office/check-package.ts";
import { isEncryptedOffice } from "#lib/formats/office/encryption.ts";
import { planAiff } from "#lib/formats/scrub/audio/aiff.ts";
import { planAudioFrames } from "#lib/formats/scrub/audio/audio-tags.ts";
import { planCaf } from "#lib/formats/scrub/audio/caf.ts";
import { planWavpack } from "#lib/formats/scrub/audio/wavpack.ts";
import {
  EncryptedDocumentError,
  UnsupportedVersionError,
} from "#lib/formats/scrub/document-errors.ts";
import { planIcon } from "#lib/formats/scrub/images/icon.ts";
import { planJp2 } from "#lib/formats/scrub/images/jp2.ts";
import { planJxl } from "#lib/formats/scrub/images/jxl.ts";
import { planPng, planPngTags } from "#lib/formats/scrub/images/png.ts";
import { planSvg } from "#lib/formats/scrub/images/svg.ts";
import { planIsobmff, UnsupportedIsobmffError } from "#lib/formats/scrub/isobmff.ts";
import { planLegacyOffice } from "#lib/formats/scrub/legacy-office/index.ts";
import { planRtf } from "#lib/formats/scrub/legacy-office/rtf.ts";
import { planMatroska } from "#lib/formats/scrub/matroska.ts";
import { planMxf } from "#lib/formats/scrub/mxf.ts";
import { scrubOffice } from "#lib/formats/scrub/office.ts";
import {
  encodePatches,
  type Patch,
  type PatchSource,
  sourceOfFile,
  TooManyPatchesError,
} from "#lib/formats/scrub/patch.ts";
import { copySegments } from "#lib/formats/scrub/segments.ts";
import { planTiff } from "#lib/formats/scrub/tiff/tiff.ts";
import { planWebp } from "#lib/formats/scrub/webp.ts";
import { planZip } from "#lib/formats/scrub/zip.ts";
import type { FileLimits } from "#lib/limits/limits.ts";
import { isDamagedData } from "#lib/media/damaged-data.ts";

/** Functions of a worker that remove metadata. The parsers of untrusted bytes stay in the sandbox. */

/** How to find the metadata of containers in which it is removed in place. */
const patchPlans = {
  isobmff: planIsobmff,
  matroska: planMatroska,
  tiff: planTiff,
  jp2: planJp2,
  mxf: planMxf,
  "legacy-office": planLegacyOffice,
  rtf: planRtf,
} satisfies Record<string, (source: PatchSource) => Promise<readonly Patch[]>>;

export type PatchKind = keyof typeof patchPlans;

/** Plans the changes that remove the metadata of `file` and writes them to a file for `copyPatched`. */
export async function planPatches({
  files,
  options: { kind },
  work,
}: WorkerCall<{ readonly kind: PatchKind }>): Promise<WorkerOutput> {
  const [file] = requireFiles(files);
  const output = work.scratch("bin");
  const source = await openRegular(file.path);
  try {
    const { size } = await source.stat();
    const patches = await patchPlans[kind](sourceOfFile(source, size)).catch(translateScrubError);
    await writeNew(output.path, encodePatches(patches, size));
  } catch (cause) {
    if (cause instanceof TooManyPatchesError) translateScrubError(cause);
    throw cause;
  } finally {
    await source.close();
  }
  return { outputs: [output] };
}

type Scrub = (from: string, to: string, limits: FileLimits) => Promise<void>;

const copyKept =
  (plan: Parameters<typeof copySegments>[2]): Scrub =>
  (from, to) =>
    copySegments(from, to, plan);

/** How to write the other kinds of containers without their metadata. */
const scrubs = {
  webp: copyKept(planWebp),
  png: copyKept(planPng),
  // For their names: exiftool needs minutes for a file with hundreds of thousands of tags.
  "png-tags": copyKept(planPngTags),
  svg: copyKept(planSvg),
  icon: copyKept(planIcon),
  jxl: copyKept(planJxl),
  aiff: copyKept(planAiff),
  caf: copyKept(planCaf),
  wavpack: copyKept(planWavpack),
  "audio-frames": copyKept(planAudioFrames),
  office: async (from, to, limits) => {
    if (await isEncryptedOffice(from)) throw new EncryptedDocumentError();
    await checkOfficePackage(from, limits);
    await copySegments(from, to, () => planZip(from, scrubOffice));
  },
} satisfies Record<string, Scrub>;

export type ScrubKind = keyof typeof scrubs;

/** Writes `file` without its metadata. */
export async function scrub({
  files,
  options: { kind },
  work,
}: WorkerCall<{ readonly kind: ScrubKind }>): Promise<WorkerOutput> {
  const [file] = requireFiles(files);
  const output = work.output(file.extension);
  await scrubs[kind](file.path, output.path, work.limits).catch(translateScrubError);
  return { outputs: [output] };
}

function translateScrubError(cause: unknown): never {
  if (cause instanceof TooManyPatchesError) {
    const message = "The file has too much metadata between its content.";
    throw new JobError("too_complex", message, { cause });
  }
  if (cause instanceof EncryptedDocumentError) {
    throw new JobError("encrypted", "The document is protected by a password.", { cause });
  }
  if (cause instanceof UnsupportedVersionError) {
    const message = `Documents from versions before ${cause.firstSupported} are not supported.`;
    throw new JobError("unsupported_type", message, { cause });
  }
  if (cause instanceof UnsupportedIsobmffError) {
    const message =
      "This structure of an MP4 or QuickTime file is not supported. Send the file unfragmented.";
    throw new JobError("unsupported_type", message, { cause });
  }
  if (isDamagedData(cause)) throw createJobFailure("corrupt", cause);
  throw cause;
}
