import { limitAttempts } from "#lib/auth/limit-attempts.ts";
import { db, transaction } from "#lib/db/client.ts";
import {
  deletePrefixPurges,
  deleteSourcePurge,
  type ImagePurge,
  insertPurge,
  listPurges,
  listSegments,
  listSourcePurges,
} from "#lib/db/queries/images/image-cache.ts";
import { hasImageDays } from "#lib/db/queries/images/image-days.ts";
import { RequestError } from "#lib/errors.ts";
import { storage } from "#lib/storage/index.ts";
import { forgetRemembered, remember } from "../keys/remembered.ts";
import { canonicalPrefix, canonicalSource, hashOf } from "../sources/canonical-source.ts";
import type { PictureHead } from "./cached-picture.ts";
import { accountFolder, sourceFolder } from "./storage-keys.ts";

/** All of an account are read every second in which it has pictures. */
const maxPurges = 2000;

/**
 * How long the purge of a source is kept; that of a prefix, as much longer than segments of before. For five minutes a
 * picture of before may still be written (`render-picture.ts`), and for two more be in the memory of a process
 * (`memory-cache.ts`).
 */
const graceSeconds = 600;

/** What an index of PostgreSQL can have, less the account and the kind. */
const maxValueBytes = 2500;

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

/** Records a purge. Throws `RequestError`. */
async function record(accountId: string, purge: ImagePurge): Promise<void> {
  if (purge.value.includes("\0") || Buffer.byteLength(purge.value) > maxValueBytes) {
    const message = `\`${purge.kind}\` must be text of at most ${maxValueBytes} bytes, as a URL encodes it, without NUL.`;
    throw new RequestError("invalid_parameter", message);
  }
  await transaction(async (tx) => {
    if (await insertPurge(tx, accountId, purge, maxPurges)) return;
    const message = `An account has at most ${maxPurges} purges at a time. Purge a prefix, which replaces those that it covers.`;
    throw new RequestError("conflict", message);
  });
  forgetRemembered();
}

/**
 * Purges the pictures of one source, and deletes their files, or those of all sources with a prefix, whose files go with
 * their segments. Throws `RequestError`, also after too many purges.
 */
export async function purgePictures(
  accountId: string,
  kind: ImagePurge["kind"],
  text: string,
): Promise<void> {
  await limitAttempts(
    [{ kind: "imagePurge", subject: accountId }],
    (seconds) =>
      `There were too many purges. Purge a prefix instead of each source, or try again in ${seconds} s.`,
  );
  const value = kind === "source" ? canonicalSource(text) : canonicalPrefix(text);
  await record(accountId, { kind, value, purgedAt: new Date() });
  if (kind === "source") await removeSource(accountId, value);
}

async function removeSource(accountId: string, value: string): Promise<void> {
  const source = hashOf(value);
  for (const segment of await listSegments(db())) {
    await storage().removeAll(sourceFolder(segment, { accountId, source }));
  }
}

/**
 * Ends the purges without which no picture of before can come back. The files of a source are deleted once more: they
 * may have been written or copied while it was purged, or not have been deleted then.
 */
export async function sweepPurges(): Promise<void> {
  await deletePrefixPurges(db(), graceSeconds);
  for (const purge of await listSourcePurges(db(), graceSeconds, 1000)) {
    await removeSource(purge.accountId, purge.value);
    await deleteSourcePurge(db(), purge);
  }
}

/** Deletes the cached pictures of an upload whose file is deleted. */
export async function removePicturesOfUpload({
  id,
  accountId,
}: {
  readonly id: string;
  readonly accountId: string;
}): Promise<void> {
  if (await hasImageDays(db(), accountId)) await removeSource(accountId, id);
}

/** Deletes all cached pictures of an account. */
export async function removeCachedPictures(accountId: string): Promise<void> {
  for (const segment of await listSegments(db())) {
    await storage().removeAll(accountFolder(segment, accountId));
  }
}
