import { copyFile } from "node:fs/promises";
import { z } from "zod";
import { removeTags } from "#lib/engines/exiftool/exiftool.ts";
import { removePdfMetadata } from "#lib/engines/pdf/qpdf.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import {
  type PatchKind,
  type ScrubKind,
  scrubFile,
  scrubInPlace,
} from "#lib/engines/worker/containers.ts";
import { type MediaTypeId, mediaTypesOf } from "#lib/media/types.ts";
import { defineOperation, type OperationContext, type OutputFile } from "#lib/operations/define.ts";
import { rasterImages } from "#lib/operations/fields/index.ts";
import { stripMedia } from "./strip-media.ts";

/** Writes `output` and returns it, with its SHA-256 if that was computed on the way. */
type Strip = (context: OperationContext<unknown>, output: WorkFile) => Promise<OutputFile>;

const byExiftool: Strip = async ({ input, signal }, output) => {
  await removeTags(input, output, signal);
  return output;
};

const byFfmpeg: Strip = async ({ input, work, signal, progress }, output) => {
  await stripMedia(input, output, work, signal, progress);
  return output;
};

const byQpdf: Strip = async ({ input, work, signal }, output) => {
  await removePdfMetadata(input, output, work, signal);
  return output;
};

const byCopy: Strip = async ({ input }, output) => {
  await copyFile(input.path, output.path);
  return output;
};

/** By the project's own parsers: engines would rewrite more than the metadata. */
const inPlace =
  (kind: PatchKind): Strip =>
  async ({ input, work, signal }, output) => ({
    ...output,
    ...(await scrubInPlace(input, output, kind, work, signal)),
  });

const byScrubber =
  (kind: ScrubKind): Strip =>
  async ({ input, work, signal }, output) => {
    await scrubFile(input, output, kind, work, signal);
    return output;
  };

/** How metadata is removed from each type: in place if everything else can stay where it is. */
const stripByType: Partial<Record<MediaTypeId, Strip>> = {
  jpeg: byExiftool,
  png: byExiftool,
  gif: byExiftool,
  avif: byExiftool,
  heic: byExiftool,
  tiff: inPlace("tiff"),
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
    "Remove metadata about people, places, devices and software from a file, without re-encoding it. Camera RAW files are developed with their metadata, so convert them first.",
  accepts: [
    ...rasterImages,
    // A camera RAW file cannot be developed without its private tags, which name the camera.
    ...(["heic", "bmp", "svg", "ico", "jxl", "jp2"] as const),
    ...mediaTypesOf("video", "audio"),
    ...(["pdf", "docx", "xlsx", "pptx", "odt", "ods", "odp"] as const),
    ...(["doc", "xls", "ppt", "rtf"] as const),
  ],
  params: z.strictObject({}),
  example: {},
  sample: { input: "photo.jpg", shows: "tags" },
  produces: (type) => type,
  keepsInput: true,
  runsIn: "runner",
  requires: ["exiftool", "ffmpeg", "ffprobe", "image", "qpdf"],
  async run(context) {
    const { input, work } = context;
    const output = work.output(input.extension);
    const strip = stripByType[input.type.id] ?? byFfmpeg;
    return { outputs: [await strip(context, output)] };
  },
});
