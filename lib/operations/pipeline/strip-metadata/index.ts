import { copyFile } from "node:fs/promises";
import { z } from "zod";
import { removeTags } from "#lib/engines/exiftool/exiftool.ts";
import { removePdfMetadata } from "#lib/engines/pdf/qpdf.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { type ScrubKind, scrubFile } from "#lib/engines/worker/containers.ts";
import { type MediaTypeId, mediaTypesOf } from "#lib/media/types.ts";
import { defineOperation, type OperationContext } from "#lib/operations/define.ts";
import { rasterImages } from "#lib/operations/fields/index.ts";
import { stripMedia } from "#lib/operations/pipeline/strip-metadata/strip-media.ts";

type Strip = (context: OperationContext<unknown>, output: WorkFile) => Promise<void>;

const byExiftool: Strip = ({ input, signal }, output) => removeTags(input, output, signal);

const byFfmpeg: Strip = ({ input, work, signal, progress }, output) =>
  stripMedia(input, output, work, signal, progress);

/** By our own readers: engines would rewrite what need not be. */
const byReader =
  (kind: ScrubKind): Strip =>
  ({ input, work, signal }, output) =>
    scrubFile(input, output, kind, work, signal);

/** How each type loses its metadata; in place where that leaves everything else where it is. */
const strips: Partial<Record<MediaTypeId, Strip>> = {
  jpeg: byExiftool,
  png: byExiftool,
  gif: byExiftool,
  avif: byExiftool,
  heic: byExiftool,
  tiff: byReader("tiff"),
  webp: byReader("webp"),
  // A bitmap has no place for metadata.
  bmp: ({ input }, output) => copyFile(input.path, output.path),
  mp4: byReader("film"),
  mov: byReader("film"),
  m4a: byReader("film"),
  "3gp": byReader("film"),
  mkv: byReader("matroska"),
  webm: byReader("matroska"),
  mp3: byReader("audio-frames"),
  aac: byReader("audio-frames"),
  pdf: ({ input, work, signal }, output) => removePdfMetadata(input, output, work, signal),
  docx: byReader("office"),
  xlsx: byReader("office"),
  pptx: byReader("office"),
  odt: byReader("office"),
  ods: byReader("office"),
  odp: byReader("office"),
  doc: byReader("legacy-office"),
  xls: byReader("legacy-office"),
  ppt: byReader("legacy-office"),
  rtf: byReader("rtf"),
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
    ...(["doc", "xls", "ppt", "rtf"] as const),
  ],
  params: z.strictObject({}),
  example: {},
  produces: (type) => type,
  engine: "runner",
  requires: ["exiftool", "ffmpeg", "ffprobe", "image", "qpdf"],
  async run(context) {
    const { input, work } = context;
    const output = work.output(input.extension);
    const strip = strips[input.type.id] ?? byFfmpeg;
    await strip(context, output);
    return { outputs: [output] };
  },
});
