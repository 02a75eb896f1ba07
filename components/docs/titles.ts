import type { OperationGroup } from "#lib/operations/define.ts";

/** What people call the groups. */
export const groupTitles: Readonly<Record<OperationGroup, string>> = {
  document: "Documents",
  image: "Images",
  video: "Video",
  audio: "Audio",
  pipeline: "Pipeline",
};

/** What a group's page says first. */
export const groupSummaries: Readonly<Record<OperationGroup, string>> = {
  document: "Web pages and office files as PDF, by Chromium and LibreOffice kept warm.",
  image: "Still and animated images, by libvips; the same format comes out that went in.",
  video: "Films, by ffmpeg; what need not be re-encoded is copied.",
  audio: "Sound, by ffmpeg; tags are kept, and a film gives its sound.",
  pipeline: "Operations that take more than one kind of file, or more than one file.",
};

const spelled: Readonly<Record<string, string>> = {
  html: "HTML",
  pdf: "PDF",
  doc: "Document",
  framerate: "frame rate",
};

/** `document/html-to-pdf` → `HTML to PDF`. */
export function operationTitle(id: string): string {
  const words = (id.split("/")[1] ?? id).split("-").map((word) => spelled[word] ?? word);
  const title = words.join(" ");
  return title.charAt(0).toUpperCase() + title.slice(1);
}
