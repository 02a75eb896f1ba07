import type { CachedPicture } from "./cached-picture.ts";
import type { SegmentFolder } from "./storage-keys.ts";

/** A picture and the segment of the cache that has it. */
export interface RecentPicture extends CachedPicture {
  readonly segment: SegmentFolder;
  /** When it was read from the storage, in milliseconds since the epoch. */
  readonly readAt: number;
}

/** A purge of a source ends (`purges.ts`), and the storage has no picture of before then. */
const maxAgeMs = 120_000;

/** The pictures that were used last, up to a number of bytes, each for two minutes. */
export class MemoryCache {
  readonly #maxBytes: number;
  /** The least recently used one first. */
  readonly #pictures = new Map<string, RecentPicture>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): RecentPicture | undefined {
    const found = this.#pictures.get(key);
    if (!found) return undefined;
    if (Date.now() - found.readAt > maxAgeMs) {
      this.delete(key);
      return undefined;
    }
    this.#pictures.delete(key);
    this.#pictures.set(key, found);
    return found;
  }

  set(key: string, picture: RecentPicture): void {
    this.delete(key);
    // A large picture would remove many small ones.
    if (picture.body.length > this.#maxBytes / 16) return;
    this.#pictures.set(key, picture);
    this.#bytes += picture.body.length;
    for (const oldest of this.#pictures.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const found = this.#pictures.get(key);
    if (!found) return;
    this.#pictures.delete(key);
    this.#bytes -= found.body.length;
  }
}
