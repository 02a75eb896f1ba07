/**
 * The label of an operation without what the file is or has: `watermark` of `image/watermark-text`
 * and of `pipeline/video-watermark`.
 */
export function labelOf(operation: string): string {
  const name = operation.split("/").at(-1) ?? operation;
  return name.replace(/^video-/, "").replace(/-(?:text|image|pdf|clip|video)$/, "");
}
