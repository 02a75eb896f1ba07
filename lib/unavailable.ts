import { statfs } from "node:fs/promises";

/** Something that the service cannot do without is away for now: nobody's file is to blame, and it passes. */
export class UnavailableError extends Error {
  override readonly name = "OutageError";
}

/** Codes of node for a disk, or a process, that has no room left, and for a disk that fails. */
const exhausted = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE"]);

/** Whether `error`, or what caused it, says that our disk or a store cannot do its work for now. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof UnavailableError) return true;
  if ("code" in error && exhausted.has(String(error.code))) return true;
  return error.cause !== error && isUnavailable(error.cause);
}

/** With less than this an engine has hardly written its output. */
const leastFreeBytes = 4 * 2 ** 20;

/** Whether the disk under `path` is full, which an engine tells in words of its own, if at all. */
export async function isDiskFull(path: string): Promise<boolean> {
  const { bavail, bsize, ffree, files } = await statfs(path);
  return bavail * bsize < leastFreeBytes || (files > 0 && ffree === 0);
}
