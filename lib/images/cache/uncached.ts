import { createToken } from "#lib/ids.ts";
import { storage } from "#lib/storage/index.ts";
import { type SegmentFolder, segmentFolder } from "./storage-keys.ts";

/** Pictures on their way from a runner to a web process, if none is kept. */

const dayMs = 86_400_000;

/** The folder of a day, so that what a killed process has left there can be removed without a list of it. */
function dayFolder(day: Date): SegmentFolder {
  return { id: 0, folder: `uncached/${day.toISOString().slice(0, 10)}` };
}

/**
 * The folder of one picture: each time another one, because that of another request for it may be removed at the same
 * time.
 */
export function uncachedSegment(now: Date): SegmentFolder {
  return { id: 0, folder: `${dayFolder(now).folder}/${createToken()}` };
}

/** Removes what was left two and three days ago. */
export async function sweepUncached(now = new Date()): Promise<void> {
  for (const days of [2, 3]) {
    const day = new Date(now.getTime() - days * dayMs);
    await storage().removeAll(segmentFolder(dayFolder(day)));
  }
}
