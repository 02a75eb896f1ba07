import { copyFile } from "node:fs/promises";
import { z } from "zod";
import { removeTags } from "#lib/engines/exiftool/exiftool.ts";
import { removePdfMetadata } from "#lib/engines/pdf/qpdf.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { type ScrubKind, scrubFile } from "#lib/engines/worker/containers.ts";
import { type MediaTypeId, mediaTypesOf } from "#lib/media/types.ts";
import { defineOperation, type OperationContext } from "#lib/operations/define.ts";
import { rasterImages } from "#lib/operations/fields/index.ts";
import { stripMedia } from "./strip-media.ts";

type Strip = (context: OperationContext<unknown>, output: WorkFile) => Promise<void>;

const byExiftool: Strip = ({ input, signal }, output) => removeTags(input, output, signal);

const byFfmpeg: Strip = ({ input, work, signal, progress }, output) =>
  stripMedia(input, output, work, signal, progress);

/** By the project's own parsers: engines would rewrite more than the metadata. */
const byScrubber =
  (kind: ScrubKind): Strip =>
  ({ input, work, signal }, output) =>
    scrubFile(input, output, kind, work, signal);

/** How metadata is removed from each type: in place if everything else can stay where it is. */
const stripByType: Partial<Record<MediaTypeId, Strip>> = {
  jpeg: byExiftool,
  png: byExiftool,
  gif: byExiftool,
  avif: byExiftool,
  heic: byExiftool,
  tiff: byScrubber("tiff"),
  webp: byScrubber("webp"),
  // BMP files have no metadata.
  bmp: ({ input }, output) => copyFile(input.path, output.path),
  mp4: byScrubber("isobmff"),
  mov: byScrubber("isobmff"),
  m4a: byScrubber("isobmff"),
  "3gp": byScrubber("isobmff"),
  mkv: byScrubber("matroska"),
  webm: byScrubber("matroska"),
  mp3: byScrubber("audio-frames"),
  aac: byScrubber("audio-frames"),
  pdf: ({ input, work, signal }, output) => removePdfMetadata(input, output, work, signal),
  docx: byScrubber("office"),
  xlsx: byScrubber("office"),
  pptx: byScrubber("office"),
  odt: byScrubber("office"),
  ods: byScrubber("office"),
  odp: byScrubber("office"),
  doc: byScrubber("legacy-office"),
  xls: byScrubber("legacy-office"),
  ppt: byScrubber("legacy-office"),
  rtf: byScrubber("rtf"),
};

export const stripMetadata = defineOperation({
  id: "pipeline/strip-metadata",
  title: "Strip metadata",
  summary:
    "Remove metadata about people, places, devices and software from a file, without re-encoding it.",
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
  sample: { input: "photo.jpg", shows: "tags" },
  produces: (type) => type,
  runsIn: "runner",
  requires: ["exiftool", "ffmpeg", "ffprobe", "image", "qpdf"],
  async run(context) {
    const { input, work } = context;
    const output = work.output(input.extension);
    const strip = stripByType[input.type.id] ?? byFfmpeg;
    await strip(context, output);
    return { outputs: [output] };
  },
});
