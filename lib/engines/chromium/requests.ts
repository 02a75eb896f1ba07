import { setTimeout as delay } from "node:timers/promises";
import type { HTTPRequest, Page } from "puppeteer";

/** Requests that never end and that nothing waits for. */
const endless = new Set(["eventsource", "websocket", "ping", "media"]);

/** With no request under way for this long, scripts have had their turn with what arrived. */
const settleMs = 50;

/** Counts the requests that `page` has under way. */
export class RequestCounter {
  readonly #underWay = new Set<HTTPRequest>();
  #onIdle: (() => void) | undefined;

  constructor(page: Page) {
    page.on("request", (request) => {
      if (!endless.has(request.resourceType())) this.#underWay.add(request);
    });
    const remove = (request: HTTPRequest) => {
      this.#underWay.delete(request);
      if (this.#underWay.size === 0) this.#onIdle?.();
    };
    page.on("requestfinished", remove);
    page.on("requestfailed", remove);
  }

  /**
   * Resolves at once where no request is under way, otherwise when none has been for a moment, at
   * the latest at `deadline` (as of `Date.now()`).
   */
  async quiet(deadline: number): Promise<void> {
    while (this.#underWay.size > 0 && Date.now() < deadline) {
      await this.#idle(deadline);
      await delay(settleMs);
    }
  }

  #idle(deadline: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, deadline - Date.now());
    this.#onIdle = resolve;
    return promise.finally(() => {
      clearTimeout(timer);
      this.#onIdle = undefined;
    });
  }
}
