import { statfs } from "node:fs/promises";

/** Something that the service requires is temporarily unavailable. The caller's file is not the cause. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}

/** Node's codes for a full or failing disk and for exhausted file handles. */
const exhausted = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE"]);

/** Whether `error`, or its cause, says that the disk or a store is temporarily unavailable. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof UnavailableError) return true;
  if ("code" in error && exhausted.has(String(error.code))) return true;
  return error.cause !== error && isUnavailable(error.cause);
}

/** With less free space than this, an engine probably failed to write its output. */
const minFreeBytes = 4 * 2 ** 20;

/** Whether the disk under `path` is full. Engines report a full disk in their own words or not at all. */
export async function isDiskFull(path: string): Promise<boolean> {
  const { bavail, bsize, ffree, files } = await statfs(path);
  return bavail * bsize < minFreeBytes || (files > 0 && ffree === 0);
}
