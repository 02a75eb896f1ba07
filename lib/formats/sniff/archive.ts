import type { MediaTypeId } from "#lib/media/types.ts";
import { unpackStart } from "./office-binary.ts";

/** Detects 7z, and TAR in gzip. Other files in gzip are not archives. */
export function detectArchive(head: Buffer): MediaTypeId | undefined {
  if (head.toString("hex", 0, 6) === "377abcaf271c") return "7z";
  if (head.toString("hex", 0, 3) !== "1f8b08") return undefined;
  const start = unpackStart(head.subarray(0, 4096));
  return start && isTar(start) ? "tgz" : undefined;
}

/** Whether the checksum of the first header is right (POSIX.1-2017, pax, ustar Interchange Format). */
function isTar(start: Buffer): boolean {
  if (start.length < 512) return false;
  const stored = Number.parseInt(start.toString("latin1", 148, 156), 8);
  // Its own bytes count as spaces.
  const sum = start.subarray(0, 512).reduce((total, byte, at) => {
    return total + (at >= 148 && at < 156 ? 0x20 : byte);
  }, 0);
  return stored === sum && sum > 8 * 0x20;
}
