import { createToken } from "#lib/ids.ts";
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

/** Pictures of this process that are in memory, too. */
const memoryBytes = 32 * 2 ** 20;

/** Makes a picture, and stores it under the storage key. */
export type MakePicture = (storageKey: string) => Promise<void>;

/**
 * Where a picture is on its way from the runner, if none is kept: each in a folder of its own, because that of another
 * request for it may be removed at the same time.
 */
function uncachedFolder(): SegmentFolder {
  return { id: 0, folder: `uncached/${createToken()}` };
}

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
    let pending = this.#pending.get(key.picture);
    while (pending) {
      const found = await pending;
      // Those who wait cause no work of their own.
      if (!purges.isStale(found.picture.head)) return { ...found, isHit: true };
      // It was purged meanwhile. The first of those who wait makes it again, for the others too.
      pending = this.#pending.get(key.picture);
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
    // Without a cache, the storage only carries the picture from the runner to this process.
    const segment = this.#isEnabled ? await this.#newest() : uncachedFolder();
    const storageKey = pictureKey(segment, key);
    await make(storageKey);
    const picture = await readPicture(storageKey);
    if (!picture) throw new Error("a picture was not stored");
    const isKept = this.#isEnabled && picture.body.length <= this.#segments.segmentBytes;
    if (isKept) {
      this.#memory.set(key.picture, { ...picture, segment, readAt: Date.now() });
      // The client does not wait for it.
      this.#record(segment, key, picture.body.length).catch((err) =>
        log.warn({ err }, "cached picture not counted"),
      );
    } else {
      const removed = removeLogged(
        this.#isEnabled ? pictureFolder(segment, key) : segmentFolder(segment),
      );
      // The next request for it writes to the same folder.
      if (this.#isEnabled) await removed;
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
