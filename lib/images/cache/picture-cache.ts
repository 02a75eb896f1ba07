import { log } from "#lib/log.ts";
import { FileGoneError, storage } from "#lib/storage/index.ts";
import { type CachedPicture, unpackPicture } from "./cached-picture.ts";
import { MemoryCache, type RecentPicture } from "./memory-cache.ts";
import type { Purges } from "./purges.ts";
import { Segments } from "./segments.ts";
import {
  type PictureKey,
  pictureFolder,
  pictureKey,
  type SegmentFolder,
  segmentFolder,
} from "./storage-keys.ts";
import { uncachedSegment } from "./uncached.ts";

/** Pictures of this process that are in memory, too. */
const memoryBytes = 32 * 2 ** 20;

/** Makes a picture, and stores it under the storage key. */
export type MakePicture = (storageKey: string) => Promise<void>;

export interface FoundPicture {
  readonly picture: CachedPicture;
  readonly isHit: boolean;
}

/** The pictures that were made: in the storage, so that all processes share them. */
export class PictureCache {
  readonly #memory = new MemoryCache(memoryBytes);
  readonly #segments: Segments;
  readonly #isEnabled: boolean;
  readonly #pending = new Map<string, Promise<FoundPicture>>();

  /** `maxBytes` of all pictures together; 0 is no cache. */
  constructor(maxBytes: number) {
    this.#segments = new Segments(maxBytes);
    this.#isEnabled = maxBytes > 0;
  }

  /**
   * The picture from the cache, else made by `make`: once for all who ask for it at the same time. Stale
   * pictures count as missing. Throws the errors of `make`.
   */
  async get(key: PictureKey, purges: Purges, make: MakePicture): Promise<FoundPicture> {
    const recent = this.#memory.get(key.picture);
    if (recent && !purges.isStale(recent.head)) {
      this.#promoteLater(key, recent);
      return { picture: recent, isHit: true };
    }
    const pending = this.#pending.get(key.picture);
    if (pending) {
      const found = await pending;
      // Those who wait cause no work of their own.
      if (!purges.isStale(found.picture.head)) return { ...found, isHit: true };
      // It was purged meanwhile. The first of those who wait makes it again, for the others too.
      const again = this.#pending.get(key.picture);
      if (again) return { ...(await again), isHit: true };
    }
    const started = this.#findOrMake(key, purges, make).finally(() => {
      if (this.#pending.get(key.picture) === started) this.#pending.delete(key.picture);
    });
    this.#pending.set(key.picture, started);
    return started;
  }

  async #findOrMake(key: PictureKey, purges: Purges, make: MakePicture): Promise<FoundPicture> {
    const stored = this.#isEnabled ? await this.#find(key) : undefined;
    if (stored && !purges.isStale(stored.head)) {
      this.#memory.set(key.picture, stored);
      this.#promoteLater(key, stored);
      return { picture: stored, isHit: true };
    }
    return { picture: await this.#make(key, make), isHit: false };
  }

  async #find(key: PictureKey): Promise<RecentPicture | undefined> {
    for (const segment of await this.#segments.list()) {
      const picture = await readPicture(pictureKey(segment, key));
      if (picture) return { ...picture, segment, readAt: Date.now() };
    }
    return undefined;
  }

  async #make(key: PictureKey, make: MakePicture): Promise<CachedPicture> {
    if (!this.#isEnabled) return makeUncached(key, make);
    const segment = await this.#newest();
    const picture = await makeIn(segment, key, make);
    if (picture.body.length <= this.#segments.segmentBytes) {
      this.#memory.set(key.picture, { ...picture, segment, readAt: Date.now() });
      // The client does not wait for it.
      this.#record(segment, key, picture.body.length).catch((err) =>
        log.warn({ err }, "cached picture not counted"),
      );
    } else {
      // Awaited, because the next request for it writes to the same folder.
      await removeLogged(pictureFolder(segment, key));
    }
    return picture;
  }

  /** Counts a picture of this size in its segment. It is removed if the segment has been. */
  async #record(segment: SegmentFolder, key: PictureKey, bytes: number): Promise<void> {
    if (await this.#segments.add(segment.id, bytes)) return;
    await storage().removeAll(pictureFolder(segment, key));
  }

  async #newest(): Promise<SegmentFolder> {
    const [newest] = await this.#segments.list();
    if (!newest) throw new Error("the cache has no segment");
    return newest;
  }

  /** Copies a picture of an older segment into the newest one, because it was used. */
  #promoteLater(key: PictureKey, picture: RecentPicture): void {
    this.#promote(key, picture).catch((err) => log.warn({ err }, "cached picture not kept"));
  }

  async #promote(key: PictureKey, picture: RecentPicture): Promise<void> {
    const newest = await this.#newest();
    if (picture.segment.id >= newest.id) return;
    this.#memory.set(key.picture, { ...picture, segment: newest });
    try {
      await storage().copy(pictureKey(picture.segment, key), pictureKey(newest, key));
      await this.#segments.add(newest.id, picture.body.length);
    } catch (error) {
      // Another process has copied it, or its segment has been removed.
      if (!(error instanceof FileGoneError) && !isExisting(error)) throw error;
    }
  }
}

/** Makes a picture without a cache: the storage only carries it from the runner to this process. */
async function makeUncached(key: PictureKey, make: MakePicture): Promise<CachedPicture> {
  const segment = uncachedSegment(new Date());
  try {
    return await makeIn(segment, key, make);
  } finally {
    void removeLogged(segmentFolder(segment));
  }
}

async function makeIn(
  segment: SegmentFolder,
  key: PictureKey,
  make: MakePicture,
): Promise<CachedPicture> {
  const storageKey = pictureKey(segment, key);
  await make(storageKey);
  const picture = await readPicture(storageKey);
  if (!picture) throw new Error("a picture was not stored");
  return picture;
}

async function readPicture(storageKey: string): Promise<CachedPicture | undefined> {
  try {
    return unpackPicture(await storage().readBytes(storageKey));
  } catch (error) {
    if (error instanceof FileGoneError) return undefined;
    throw error;
  }
}

/** Removes a picture that is not kept. Never throws. */
async function removeLogged(folder: string): Promise<void> {
  await storage()
    .removeAll(folder)
    .catch((err) => log.warn({ err }, "a picture that is not kept was not removed"));
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}
