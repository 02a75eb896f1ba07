/** How a file can be shown in a page. */
export type PreviewKind = "image" | "video" | "audio" | "pdf" | "text" | "none";

/** A file to show. Pixels; seconds. */
export interface PreviewFile {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
  /** On our own host; or of a file that the browser has. */
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
  readonly duration?: number;
  readonly pages?: number;
}

/** Text that is shown as it is written; what a browser would run among it. */
const textTypes = /^(?:text\/(?:plain|csv|html)|application\/json|image\/svg\+xml)$/;

export function previewKind({ contentType }: Pick<PreviewFile, "contentType">): PreviewKind {
  if (textTypes.test(contentType)) return "text";
  if (contentType === "application/pdf") return "pdf";
  const [kind] = contentType.split("/");
  return kind === "image" || kind === "video" || kind === "audio" ? kind : "none";
}
