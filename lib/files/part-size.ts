const mebibyte = 1024 ** 2;

/** What the parts of a file must have. */
interface PartLimits {
  readonly maxParts: number;
  /** Of each part except the last one. */
  readonly minBytes: number;
}

/** The size of each part except the last one of a file of `bytes`, in whole mebibytes. */
export function partBytesFor(bytes: number, { maxParts, minBytes }: PartLimits): number {
  return Math.max(minBytes, Math.ceil(bytes / maxParts / mebibyte) * mebibyte);
}
