const mebibyte = 1024 ** 2;

/**
 * Smaller parts cost a request each; larger ones are lost as a whole when a connection breaks, and take as much
 * memory where this service sends them on. S3 accepts none below 5 MiB.
 */
const minPartBytes = 8 * mebibyte;

/** The size of each part except the last one of a file of `bytes`, for at most `maxParts` parts, in whole mebibytes. */
export function partBytesFor(bytes: number, maxParts: number): number {
  return Math.max(minPartBytes, Math.ceil(bytes / maxParts / mebibyte) * mebibyte);
}
