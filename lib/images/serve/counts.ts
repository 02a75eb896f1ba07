import { db } from "#lib/db/client.ts";
import { addToImageDays, type ImageDay } from "#lib/db/queries/images/image-days.ts";
import { log } from "#lib/log.ts";
import { pictureRequests, pictureSeconds } from "#lib/metrics.ts";
import { stoppingSignal } from "#lib/stopping.ts";

/** Counts the pictures of each account, and writes the sums every few seconds. */

const intervalMs = 5000;

type Counts = Pick<ImageDay, "hits" | "misses" | "errors" | "sourceBytes" | "sentBytes">;

const counted = new Map<string, ImageDay>();
let timer: NodeJS.Timeout | undefined;

export type PictureOutcome = "hit" | "miss" | "error";

/** Counts a request of an account that has ended. */
export function countPicture(
  accountId: string,
  outcome: PictureOutcome,
  { sourceBytes = 0, sentBytes = 0, seconds = 0 },
): void {
  pictureRequests.inc({ outcome });
  pictureSeconds.observe({ outcome }, seconds);
  const day = new Date().toISOString().slice(0, 10);
  const key = `${accountId} ${day}`;
  const none: Counts = { hits: 0, misses: 0, errors: 0, sourceBytes: 0, sentBytes: 0 };
  const before = counted.get(key) ?? { accountId, day, ...none };
  counted.set(key, {
    ...before,
    hits: before.hits + (outcome === "hit" ? 1 : 0),
    misses: before.misses + (outcome === "miss" ? 1 : 0),
    errors: before.errors + (outcome === "error" ? 1 : 0),
    sourceBytes: before.sourceBytes + sourceBytes,
    sentBytes: before.sentBytes + sentBytes,
  });
  startWriting();
}

function startWriting(): void {
  if (timer) return;
  timer = setInterval(() => void writeCounts(), intervalMs).unref();
  stoppingSignal().addEventListener("abort", () => void writeCounts(), { once: true });
}

async function writeCounts(): Promise<void> {
  const days = [...counted.values()];
  if (days.length === 0) return;
  counted.clear();
  // The numbers are for people, so a failure loses some of them.
  await addToImageDays(db(), days).catch((err) => log.warn({ err }, "pictures not counted"));
}
