import { setTimeout as delay } from "node:timers/promises";
import type { HTTPRequest, Page } from "puppeteer";
import { waitAtMost } from "#lib/deadline.ts";

/** Types of requests that may never finish. They are not waited for. */
const neverFinishing = new Set(["eventsource", "websocket", "ping", "media"]);

/** The time that scripts get to process a response and to start further requests. */
const settleMs = 50;

/** Tracks the pending requests of `page`. */
export class RequestCounter {
  readonly #pending = new Set<HTTPRequest>();
  #onIdle: (() => void) | undefined;

  constructor(page: Page) {
    page.on("request", (request) => {
      if (!neverFinishing.has(request.resourceType())) this.#pending.add(request);
    });
    const remove = (request: HTTPRequest) => {
      this.#pending.delete(request);
      if (this.#pending.size === 0) this.#onIdle?.();
    };
    page.on("requestfinished", remove);
    page.on("requestfailed", remove);
  }

  /**
   * Resolves when no request is pending: immediately, or after the pending ones and those that
   * follow have finished. Resolves at `deadline` (a value of `Date.now()`) at the latest.
   */
  async waitUntilIdle(deadline: number): Promise<void> {
    while (this.#pending.size > 0 && Date.now() < deadline) {
      await this.#idle(deadline);
      await delay(settleMs);
    }
  }

  async #idle(deadline: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onIdle = resolve;
    await waitAtMost(promise, deadline - Date.now());
    this.#onIdle = undefined;
  }
}
