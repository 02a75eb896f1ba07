import type { OperationGroup } from "#lib/operations/define.ts";

/** Titles of the groups of operations. */
export const groupTitles: Readonly<Record<OperationGroup, string>> = {
  document: "Documents",
  image: "Images",
  video: "Video",
  audio: "Audio",
  pipeline: "Pipeline",
};

/** Summaries of the groups of operations. */
export const groupSummaries: Readonly<Record<OperationGroup, string>> = {
  document: "Convert web pages and office documents to PDF, with Chromium and LibreOffice.",
  image:
    "Resize, convert, compress, read and make images with libvips. The output has the format of the input, unless you choose another.",
  video:
    "Cut, convert, join and analyze videos with ffmpeg. Streams that need no change are copied, not re-encoded.",
  audio: "Process audio files, and the audio of videos, with ffmpeg. Tags are kept.",
  pipeline: "Operations that take several kinds of files, or several files.",
};
