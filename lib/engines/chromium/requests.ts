import { setTimeout as delay } from "node:timers/promises";
import type { CDPSession, Protocol } from "puppeteer";
import { waitAtMost } from "#lib/deadline.ts";

/**
 * Types of requests that are not waited for: they may never finish, or belong to another request. The
 * protocol has further types, which are waited for.
 */
const ignoredTypes: ReadonlySet<Protocol.Network.ResourceType | undefined> = new Set([
  "EventSource",
  "WebSocket",
  "Ping",
  "Media",
  "Preflight",
  "CSPViolationReport",
]);

/** The time that scripts get to process a response and to start further requests. */
const settleMs = 50;

/** Tracks the pending requests of a page and of its frames in other processes. */
export class RequestCounter {
  /** Ids of requests, with the session that reports them. */
  readonly #pending = new Map<string, CDPSession>();
  #onIdle: (() => void) | undefined;

  /** Starts to count the requests of `session`, and of the sessions of its frames when they start. */
  async watch(session: CDPSession): Promise<void> {
    session.on("Network.requestWillBeSent", ({ requestId, type }) => {
      if (!ignoredTypes.has(type)) this.#pending.set(requestId, session);
    });
    session.on("Network.loadingFinished", ({ requestId }) => this.#remove(requestId));
    session.on("Network.loadingFailed", ({ requestId }) => this.#remove(requestId));
    session.on("Target.attachedToTarget", ({ sessionId }) => {
      const frame = session.connection()?.session(sessionId);
      // These calls fail if the frame is removed meanwhile.
      if (frame) this.#watchFrame(session, frame).catch(() => {});
    });
    await Promise.all([
      session.send("Network.enable"),
      session.send("Network.setBypassServiceWorker", { bypass: true }),
      session.send("Target.setAutoAttach", {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: [{ type: "iframe" }],
      }),
    ]);
  }

  /**
   * Resolves when no request is pending: immediately, or after the pending ones and those that they
   * cause have finished, and at `deadline` (milliseconds since the epoch) at the latest.
   */
  async waitUntilIdle(deadline: number): Promise<void> {
    while (this.#pending.size > 0 && Date.now() < deadline) {
      await this.#idle(deadline);
      await delay(settleMs);
    }
  }

  /** A frame waits until its requests are watched. */
  async #watchFrame(parent: CDPSession, frame: CDPSession): Promise<void> {
    parent.on("Target.detachedFromTarget", ({ sessionId }) => {
      if (sessionId === frame.id()) this.#removeAll(frame);
    });
    const watching = this.watch(frame);
    await frame.send("Runtime.runIfWaitingForDebugger");
    await watching;
  }

  #remove(requestId: string): void {
    this.#pending.delete(requestId);
    if (this.#pending.size === 0) this.#onIdle?.();
  }

  #removeAll(session: CDPSession): void {
    for (const [requestId, owner] of this.#pending) {
      if (owner === session) this.#remove(requestId);
    }
  }

  async #idle(deadline: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onIdle = resolve;
    await waitAtMost(promise, deadline - Date.now());
    this.#onIdle = undefined;
  }
}
