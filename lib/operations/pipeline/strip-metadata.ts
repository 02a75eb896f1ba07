import { constants, copyFile } from "node:fs/promises";
import { z } from "zod";
import { removeTags } from "#lib/engines/exiftool.ts";
import { checkContainer } from "#lib/engines/office-container.ts";
import { removePdfMetadata } from "#lib/engines/qpdf.ts";
import { stripMedia } from "#lib/engines/strip-media.ts";
import type { WorkFile } from "#lib/engines/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { planAudioFrames } from "#lib/media/scrub/audio-tags.ts";
import { planFilm, UnsupportedFilmError } from "#lib/media/scrub/isobmff.ts";
import { planMatroska } from "#lib/media/scrub/matroska.ts";
import { cleanOffice } from "#lib/media/scrub/office.ts";
import { patchFile } from "#lib/media/scrub/patch.ts";
import { copyPieces } from "#lib/media/scrub/pieces.ts";
import { planTiff, RawPhotoError } from "#lib/media/scrub/tiff.ts";
import { planWebp } from "#lib/media/scrub/webp.ts";
import { EncryptedZipError, planZip } from "#lib/media/scrub/zip.ts";
import { type MediaTypeId, mediaTypesOf } from "#lib/media/types.ts";
import { defineOperation, type OperationContext } from "#lib/operations/define.ts";
import { rasterImages } from "#lib/operations/fields.ts";

type Strip = (context: OperationContext<unknown>, output: WorkFile) => Promise<void>;

const byExiftool: Strip = ({ input, signal }, output) => removeTags(input, output, signal);

const byFfmpeg: Strip = ({ input, work, signal, progress }, output) =>
  stripMedia(input, output, work, signal, progress);

const inPlace =
  (plan: Parameters<typeof patchFile>[1]): Strip =>
  async ({ input }, output) => {
    await copyFile(input.path, output.path, constants.COPYFILE_FICLONE);
    await patchFile(output.path, plan);
  };

const inPieces =
  (plan: Parameters<typeof copyPieces>[2]): Strip =>
  ({ input }, output) =>
    copyPieces(input.path, output.path, plan);

const office: Strip = async ({ input }, output) => {
  await checkContainer(input.path);
  await copyPieces(input.path, output.path, () => planZip(input.path, cleanOffice));
};

/** How each type loses its metadata; in place where that leaves everything else where it is. */
const strips: Partial<Record<MediaTypeId, Strip>> = {
  jpeg: byExiftool,
  png: byExiftool,
  gif: byExiftool,
  avif: byExiftool,
  heic: byExiftool,
  tiff: inPlace(planTiff),
  webp: inPieces(planWebp),
  // A bitmap has no place for metadata.
  bmp: ({ input }, output) => copyFile(input.path, output.path),
  mp4: inPlace(planFilm),
  mov: inPlace(planFilm),
  m4a: inPlace(planFilm),
  "3gp": inPlace(planFilm),
  mkv: inPlace(planMatroska),
  webm: inPlace(planMatroska),
  mp3: inPieces(planAudioFrames),
  aac: inPieces(planAudioFrames),
  pdf: ({ input, work, signal }, output) => removePdfMetadata(input, output, work, signal),
  docx: office,
  xlsx: office,
  pptx: office,
  odt: office,
  ods: office,
  odp: office,
};

export const stripMetadata = defineOperation({
  id: "pipeline/strip-metadata",
  summary:
    "Remove what a file tells of people, places, devices and programs, without re-encoding anything.",
  accepts: [
    ...rasterImages,
    "heic",
    "bmp",
    ...mediaTypesOf("video", "audio"),
    ...(["pdf", "docx", "xlsx", "pptx", "odt", "ods", "odp"] as const),
  ],
  params: z.strictObject({}),
  example: {},
  produces: (type) => type,
  engine: "runner",
  requires: ["exiftool", "ffmpeg", "ffprobe", "qpdf"],
  async run(context) {
    const { input, work } = context;
    const output = work.output(input.extension);
    const strip = strips[input.type.id] ?? byFfmpeg;
    await strip(context, output).catch(explain);
    return { outputs: [output] };
  },
});

function explain(cause: unknown): never {
  if (cause instanceof EncryptedZipError) {
    throw new JobError("encrypted", "The document is protected by a password.", { cause });
  }
  if (cause instanceof RawPhotoError) {
    throw new JobError("unsupported_type", "Raw photographs (DNG) cannot be changed.", { cause });
  }
  if (cause instanceof UnsupportedFilmError) {
    const sentence = "This form of MP4 or QuickTime file is not supported; send it unfragmented.";
    throw new JobError("unsupported_type", sentence, { cause });
  }
  // What the readers of structures throw where a length or an offset leads nowhere.
  if (cause instanceof RangeError) {
    throw new JobError("corrupt", "The file is damaged or incomplete.", { cause });
  }
  throw cause;
}
