import { db } from "#lib/db/client.ts";
import {
  type ImagePurge,
  insertPurge,
  listPurges,
  listSegments,
} from "#lib/db/queries/images/image-cache.ts";
import { storage } from "#lib/storage/index.ts";
import { forgetRemembered, remember } from "../keys/remembered.ts";
import { canonicalSource, hashOf } from "../sources/canonical-source.ts";
import type { PictureHead } from "./cached-picture.ts";
import { accountFolder, sourceFolder } from "./storage-keys.ts";

/** Purges say which pictures are too old, so that every process ignores them at once. */

export interface Purges {
  /** Whether a picture was made before a purge of its source. */
  isStale(head: Pick<PictureHead, "source" | "createdAt">): boolean;
}

/** The purges of an account. */
export const purgesOf: (accountId: string) => Promise<Purges> = remember(async (accountId) =>
  indexPurges(await listPurges(db(), accountId)),
);

export function indexPurges(purges: readonly ImagePurge[]): Purges {
  const sources = new Map<string, number>();
  const prefixes: { readonly value: string; readonly at: number }[] = [];
  for (const { kind, value, purgedAt } of purges) {
    const at = purgedAt.getTime();
    if (kind === "source") sources.set(value, at);
    else prefixes.push({ value, at });
  }
  return {
    isStale({ source, createdAt }) {
      if (createdAt <= (sources.get(source) ?? -1)) return true;
      return prefixes.some(({ value, at }) => createdAt <= at && source.startsWith(value));
    },
  };
}

/** Purges the pictures of one source, and deletes their files. */
export async function purgeSource(accountId: string, source: string): Promise<void> {
  const value = canonicalSource(source);
  await insertPurge(db(), accountId, { kind: "source", value, purgedAt: new Date() });
  forgetRemembered();
  for (const { id } of await listSegments(db())) {
    await storage().removeAll(sourceFolder(id, { accountId, source: hashOf(value) }));
  }
}

/** Purges the pictures of all sources that begin with `prefix`. Their files go with their segments. */
export async function purgePrefix(accountId: string, prefix: string): Promise<void> {
  await insertPurge(db(), accountId, { kind: "prefix", value: prefix, purgedAt: new Date() });
  forgetRemembered();
}

/** Deletes all cached pictures of an account. */
export async function removeCachedPictures(accountId: string): Promise<void> {
  for (const { id } of await listSegments(db())) {
    await storage().removeAll(accountFolder(id, accountId));
  }
}
