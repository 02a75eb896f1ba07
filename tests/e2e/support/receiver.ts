import { expect } from "@playwright/test";
import type { ReceivedWebhook } from "#tests/servers/webhook-receiver.ts";
import { runningService } from "./running-service.ts";

let receivers = 0;

/** A webhook receiver for one test. */
export interface Receiver {
  readonly url: string;
  /** The webhooks received so far. */
  received(): Promise<ReceivedWebhook[]>;
  /** Waits until `count` webhooks are received, and returns them. */
  waitFor(count: number): Promise<ReceivedWebhook[]>;
}

/** A receiver that responds with `statuses` in turn, then always with the last one. `body` is the response body. */
export function openReceiver(statuses: readonly number[] = [200], body?: string): Receiver {
  const { host } = runningService();
  const name = `${process.pid}-${++receivers}`;
  const path = `${host.url}/hook/${name}/${statuses.join("-")}`;
  const received = async () => (await fetch(path)).json() as Promise<ReceivedWebhook[]>;
  return {
    url: body === undefined ? path : `${path}?body=${encodeURIComponent(body)}`,
    received,
    async waitFor(count) {
      await expect.poll(async () => (await received()).length, { timeout: 30_000 }).toBe(count);
      return received();
    },
  };
}
