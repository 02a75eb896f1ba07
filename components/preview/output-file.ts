import { formatBytes, formatDuration } from "#components/format.ts";
import type { SerializedOutput } from "#lib/jobs/view/job.ts";
import type { PreviewFile } from "./preview-file.ts";

/** An output as a file to preview. */
export function toPreviewFile({
  content_type: contentType,
  expires_at: _expires,
  ...rest
}: SerializedOutput): PreviewFile {
  return { ...rest, contentType };
}

/** Describes a file as `image/png, 12 kB, 640 × 480`. */
export function describeFile({
  contentType,
  bytes,
  width,
  height,
  duration,
  pages,
}: PreviewFile): string {
  const facts = [contentType, formatBytes(bytes)];
  if (width && height) facts.push(`${width} × ${height}`);
  if (duration !== undefined) facts.push(formatDuration(duration * 1000));
  if (pages !== undefined) facts.push(`${pages} ${pages === 1 ? "page" : "pages"}`);
  return facts.join(", ");
}
