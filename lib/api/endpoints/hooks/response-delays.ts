import { setTimeout as sleep } from "node:timers/promises";

/** Waits `seconds` before a response to `accountId`, or less if `signal` is aborted. */
export type ResponseDelay = (
  accountId: string,
  seconds: number,
  signal: AbortSignal,
) => Promise<void>;

/**
 * Limits how many responses wait at once, so that delays hold few connections. Further responses do not wait.
 */
export function createResponseDelay(max: {
  readonly perAccount: number;
  readonly perProcess: number;
}): ResponseDelay {
  const waiting = new Map<string, number>();
  let total = 0;

  function count(accountId: string, change: 1 | -1): void {
    total += change;
    const left = (waiting.get(accountId) ?? 0) + change;
    if (left > 0) waiting.set(accountId, left);
    else waiting.delete(accountId);
  }

  return async (accountId, seconds, signal) => {
    const isFull = total >= max.perProcess || (waiting.get(accountId) ?? 0) >= max.perAccount;
    if (seconds === 0 || isFull) return;
    count(accountId, 1);
    try {
      await sleep(seconds * 1000, undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      count(accountId, -1);
    }
  };
}
