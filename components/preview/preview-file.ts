import type { SharedFile } from "#lib/jobs/view/shared-result.ts";

/** How a page shows a file. */
export type PreviewKind = "image" | "video" | "audio" | "pdf" | "text" | "zip" | "none";

/** A file to preview. Its URL is on this host, or an object URL of a local file. */
export type PreviewFile = SharedFile;

/** Types that are shown as plain text. They include markup that a browser would otherwise execute. */
const textTypes = /^(?:text\/.*|application\/(?:json|xml|x-subrip|dash\+xml|vnd\.apple\.mpegurl))$/;

/** An SVG counts as an image: in an `img`, its scripts and links are not executed. */
export function previewKind({ contentType }: Pick<PreviewFile, "contentType">): PreviewKind {
  if (textTypes.test(contentType)) return "text";
  if (contentType === "application/pdf") return "pdf";
  if (contentType === "application/zip") return "zip";
  const [kind] = contentType.split("/");
  return kind === "image" || kind === "video" || kind === "audio" ? kind : "none";
}

/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of an image if it is known before the image is loaded. */
export function sizeOf({ width, height }: PreviewFile): Size | undefined {
  return width && height ? { width, height } : undefined;
}
