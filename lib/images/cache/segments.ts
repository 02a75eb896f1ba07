import { setTimeout as wait } from "node:timers/promises";
import { db } from "#lib/db/client.ts";
import {
  addToSegment,
  beginSegment,
  type CacheSegment,
  deleteSegment,
  listSegments,
} from "#lib/db/queries/images/image-cache.ts";
import { storage } from "#lib/storage/index.ts";
import { segmentFolder } from "./storage-keys.ts";

/**
 * The segments of the cache. A picture is added to the newest segment; one that is used again is copied
 * there from an older one. When the newest is full, another one begins, and the oldest is removed with
 * what no one has used since. So the least recently used pictures go first, without an entry for each
 * picture and without listing the storage.
 */

/** More segments remove less at a time, but a picture is looked for in each of them. */
const segmentCount = 8;

/** How long other processes may see segments as they were. */
const lifetimeMs = 5000;

/** Pictures of this time are counted together. */
const countMs = 500;

export class Segments {
  /** What is added to a segment soon. */
  readonly #uncounted = new Map<number, { bytes: number; readonly counted: Promise<boolean> }>();
  /** The most bytes of all pictures together. */
  readonly #maxBytes: number;
  #known: { readonly at: number; readonly list: Promise<CacheSegment[]> } | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The most bytes of one segment, and of one picture. */
  get segmentBytes(): number {
    return Math.floor(this.#maxBytes / segmentCount);
  }

  /** All segments, newest first; at least one. */
  list(): Promise<readonly CacheSegment[]> {
    if (!this.#known || Date.now() - this.#known.at > lifetimeMs) {
      const known = { at: Date.now(), list: this.#read() };
      this.#known = known;
      known.list.catch(() => {
        if (this.#known === known) this.#known = undefined;
      });
    }
    return this.#known.list;
  }

  async #read(): Promise<CacheSegment[]> {
    const found = await listSegments(db());
    if (found.length > 0) return found;
    await beginSegment(db(), 0);
    return listSegments(db());
  }

  /**
   * Counts a picture that was added to the segment with this id, and makes room if it is full. False if the segment has
   * been removed in the meantime.
   */
  add(segment: number, bytes: number): Promise<boolean> {
    const before = this.#uncounted.get(segment);
    if (before) {
      before.bytes += bytes;
      return before.counted;
    }
    const counted = wait(countMs, undefined, { ref: false }).then(() => {
      const sum = this.#uncounted.get(segment)?.bytes ?? 0;
      this.#uncounted.delete(segment);
      return this.#count(segment, sum);
    });
    this.#uncounted.set(segment, { bytes, counted });
    return counted;
  }

  async #count(segment: number, bytes: number): Promise<boolean> {
    const used = await addToSegment(db(), segment, bytes);
    if (used === undefined) {
      this.#known = undefined;
      return false;
    }
    if (used >= this.segmentBytes) await this.#rotate(segment);
    return true;
  }

  async #rotate(full: number): Promise<void> {
    await beginSegment(db(), full);
    const segments = await listSegments(db());
    let bytes = segments.reduce((sum, one) => sum + one.bytes, 0);
    // What the new segment will have must fit, too.
    const limit = this.#maxBytes - this.segmentBytes;
    for (const oldest of segments.toReversed()) {
      if (bytes <= limit || oldest.id === segments[0]?.id) break;
      bytes -= oldest.bytes;
      if (await deleteSegment(db(), oldest.id)) await storage().removeAll(segmentFolder(oldest));
    }
    this.#known = undefined;
  }
}
