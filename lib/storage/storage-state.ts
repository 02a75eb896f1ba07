import { withTimeout } from "#lib/deadline.ts";
import { log } from "#lib/log.ts";
import { times } from "#times";
import { storage } from "./index.ts";

export const storageStates = ["ok", "unavailable"] as const;

export type StorageState = (typeof storageStates)[number];

/** How long the store may take to respond, in milliseconds. */
const timeoutMs = 3000;

/** A store that did not respond is checked again after this part of the interval of one that did. */
const retryFraction = 1 / 6;

let last: Promise<StorageState> | undefined;
let lastState: StorageState = "ok";
let isCurrentUntil = 0;

/**
 * Whether the storage responds. The result is kept for some time, and concurrent calls share one check, so
 * that callers cannot load the store. Never throws; logs the reason when the state changes.
 */
export function readStorageState(): Promise<StorageState> {
  if (last && performance.now() < isCurrentUntil) return last;
  isCurrentUntil = Number.POSITIVE_INFINITY;
  last = check().then((state) => {
    lastState = state;
    const keptMs = times.storageCheckMs * (state === "ok" ? 1 : retryFraction);
    isCurrentUntil = performance.now() + keptMs;
    return state;
  });
  return last;
}

async function check(): Promise<StorageState> {
  try {
    const timedOut = () => new Error(`no response within ${timeoutMs} ms`);
    await withTimeout(storage().check(), timeoutMs, timedOut);
    if (lastState !== "ok") log.info("storage responds again");
    return "ok";
  } catch (err) {
    if (lastState === "ok") log.warn({ reason: reasonOf(err), err }, "storage does not respond");
    return "unavailable";
  }
}

/** The message of the innermost cause: those around it only say that the storage is unavailable. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const code = "code" in error ? ` (${error.code})` : "";
  return `${error.name}: ${error.message || "no message"}${code}`;
}
