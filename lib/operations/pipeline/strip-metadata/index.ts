import { z } from "zod";
import { removeTags } from "#lib/engines/exiftool/exiftool.ts";
import { importFile } from "#lib/engines/import/import-file.ts";
import { removePdfMetadata } from "#lib/engines/pdf/qpdf.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { copyToNew } from "#lib/files/regular-files.ts";
import { type MediaTypeId, mediaTypesOf } from "#lib/media/types.ts";
import {
  defineOperation,
  type OperationContext,
  type OutputFile,
  rawMode,
} from "#lib/operations/define.ts";
import { rasterImages } from "#lib/operations/fields/index.ts";
import { findRemovedTags } from "./removed-tags.ts";
import { type PatchKind, type ScrubKind, scrubFile, scrubInPlace } from "./scrub-file.ts";
import { stripMedia } from "./strip-media.ts";

/** Writes `output` and returns it, and whether it and the input are encrypted. */
type Strip = (
  context: OperationContext<unknown>,
  output: WorkFile,
) => Promise<OutputFile & { readonly encrypted?: boolean }>;

const byExiftool: Strip = async ({ input, signal }, output) => {
  await removeTags(input, output, signal);
  return output;
};

const byFfmpeg: Strip = async ({ input, work, signal, progress }, output) => {
  await stripMedia(input, output, work, signal, progress);
  return output;
};

const byQpdf: Strip = async ({ input, work, signal }, output) => {
  return { ...output, ...(await removePdfMetadata(input, output, work, signal)) };
};

const byCopy: Strip = async ({ input }, output) => {
  await copyToNew(input.path, output.path);
  return output;
};

/**
 * The types that the project's own parsers change in place: engines would rewrite more than the
 * metadata.
 */
const inPlace =
  (kind: PatchKind): Strip =>
  async ({ input, work, signal }, output) => {
    await scrubInPlace(input, output, kind, work, signal);
    return output;
  };

const byScrubber =
  (kind: ScrubKind): Strip =>
  async ({ input, work, signal }, output) => {
    await scrubFile(input, output, kind, work, signal);
    return output;
  };

/** How metadata is removed from each type: in place if everything else can stay where it is. */
const stripByType: Partial<Record<MediaTypeId, Strip>> = {
  jpeg: byExiftool,
  png: byScrubber("png"),
  gif: byExiftool,
  avif: byExiftool,
  heic: byExiftool,
  tiff: inPlace("tiff"),
  dng: inPlace("tiff"),
  webp: byScrubber("webp"),
  // BMP files have no metadata.
  bmp: byCopy,
  svg: byScrubber("svg"),
  ico: byScrubber("icon"),
  jxl: byScrubber("jxl"),
  jp2: inPlace("jp2"),
  mp4: inPlace("isobmff"),
  mov: inPlace("isobmff"),
  m4a: inPlace("isobmff"),
  "3gp": inPlace("isobmff"),
  mkv: inPlace("matroska"),
  webm: inPlace("matroska"),
  mxf: inPlace("mxf"),
  mp3: byScrubber("audio-frames"),
  aac: byScrubber("audio-frames"),
  ac3: byScrubber("audio-frames"),
  amr: byScrubber("audio-frames"),
  aiff: byScrubber("aiff"),
  caf: byScrubber("caf"),
  wv: byScrubber("wavpack"),
  pdf: byQpdf,
  docx: byScrubber("office"),
  xlsx: byScrubber("office"),
  pptx: byScrubber("office"),
  odt: byScrubber("office"),
  ods: byScrubber("office"),
  odp: byScrubber("office"),
  doc: inPlace("legacy-office"),
  xls: inPlace("legacy-office"),
  ppt: inPlace("legacy-office"),
  rtf: inPlace("rtf"),
};

export const stripMetadata = defineOperation({
  id: "pipeline/strip-metadata",
  title: "Strip metadata",
  summary:
    "Remove metadata about people, places, devices and software from a file, without re-encoding it. A camera RAW file other than DNG becomes a JPEG, because its sensor data cannot be read without the camera's private tags.",
  accepts: [
    ...rasterImages,
    "heic",
    "bmp",
    "svg",
    "ico",
    "jxl",
    "jp2",
    "dng",
    "raw",
    ...mediaTypesOf("video", "audio"),
    "pdf",
    "docx",
    "xlsx",
    "pptx",
    "odt",
    "ods",
    "odp",
    "doc",
    "xls",
    "ppt",
    "rtf",
  ],
  params: z.strictObject({ raw: rawMode }),
  example: {},
  sample: { input: "photo.jpg", shows: "tags" },
  result: z
    .strictObject({
      removed: z
        .array(z.string())
        .describe(
          "Names of the tags that the file no longer has, as exiftool reads them, with their group, such as GPS:GPSLatitude. At most 500; of a PNG, only those in the first 1000 chunks that are removed.",
        ),
    })
    .optional(),
  produces: (type) => (type === "raw" ? "jpeg" : type),
  keepsInput: true,
  runsIn: "runner",
  requires: ["exiftool", "ffmpeg", "ffprobe", "image", "qpdf"],
  async run(context) {
    const { input, params, work, signal } = context;
    // The private tags of a camera, which its sensor data need, name the camera and its owner.
    const isRaw = input.type.id === "raw";
    const readable = isRaw
      ? await importFile(input, { raw: params.raw ?? "preview", size: {} }, work, signal)
      : input;
    const output = work.output(readable.extension);
    const strip = stripByType[readable.type.id] ?? byFfmpeg;
    const { encrypted, ...stripped } = await strip({ ...context, input: readable }, output);
    const before = input.type.id === "png" ? work.scratch("png") : input;
    if (before !== input) await scrubFile(input, before, "png-tags", work, signal);
    const files = { before, after: stripped, encrypted };
    const removed = await findRemovedTags(files, work, signal);
    return { outputs: [stripped], ...(removed && { result: { removed } }) };
  },
});
