import { expect } from "@playwright/test";
import type { ReceivedHook } from "#tests/servers/webhook-receiver.ts";
import { runningService } from "./running-service.ts";

let receivers = 0;

/** A webhook's receiver of one test. */
export interface Receiver {
  readonly url: string;
  /** What has come so far. */
  received(): Promise<ReceivedHook[]>;
  /** What has come once it is `count` webhooks. */
  waitFor(count: number): Promise<ReceivedHook[]>;
}

/**
 * A receiver that answers `statuses` in turn, the last one for ever, with the text `answer`.
 */
export function openReceiver(statuses: readonly number[] = [200], answer?: string): Receiver {
  const { host } = runningService();
  const name = `${process.pid}-${++receivers}`;
  const path = `${host.url}/hook/${name}/${statuses.join("-")}`;
  const received = async () => (await fetch(path)).json() as Promise<ReceivedHook[]>;
  return {
    url: answer === undefined ? path : `${path}?answer=${encodeURIComponent(answer)}`,
    received,
    async waitFor(count) {
      await expect.poll(async () => (await received()).length, { timeout: 30_000 }).toBe(count);
      return received();
    },
  };
}
