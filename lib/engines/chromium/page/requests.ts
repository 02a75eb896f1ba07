import { setTimeout as delay } from "node:timers/promises";
import type { CDPSession, Protocol } from "puppeteer";
import { waitAtMost } from "#lib/deadline.ts";
import { networkReason, proxyReason } from "./failure-reason.ts";
import { type Resource, ResourceLog } from "./resource-log.ts";

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

interface PendingRequest extends Resource {
  /** The session that reports it. */
  readonly session: CDPSession;
}

/** Tracks the requests of a page and of its frames in other processes. */
export class RequestCounter {
  readonly #exited: AbortSignal;
  /** The requests that have not ended, by their ids. */
  readonly #pending = new Map<string, PendingRequest>();
  #failed = new ResourceLog();
  #onIdle: (() => void) | undefined;
  /**
   * The function that is called for each frame in a process of its own, before its document is
   * requested.
   */
  onFrame: ((session: CDPSession) => Promise<unknown>) | undefined;

  /** `exited` is aborted when the browser's process has exited. */
  constructor(exited: AbortSignal) {
    this.#exited = exited;
  }

  /** Starts to count the requests of `session`, and of the sessions of its frames when they start. */
  async watch(session: CDPSession): Promise<void> {
    session.on("Network.requestWillBeSent", ({ requestId, request: { url }, type }) => {
      // The end of a worker's script is not reported. A blob is in memory.
      if (!ignoredTypes.has(type) && !url.startsWith("blob:"))
        this.#pending.set(requestId, { session, url, type });
    });
    session.on("Network.responseReceived", ({ type, response: { url, status, headers } }) => {
      if (status >= 400) this.#failed.add({ url, type, status, reason: proxyReason(headers) });
    });
    session.on("Network.loadingFinished", ({ requestId }) => this.#remove(requestId));
    session.on("Network.loadingFailed", (failure) => {
      const { requestId, canceled, blockedReason, errorText } = failure;
      const resource = this.#pending.get(requestId);
      if (resource && !canceled && blockedReason !== "inspector") {
        this.#failed.add({ ...resource, reason: networkReason(errorText) });
      }
      this.#remove(requestId);
    });
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
   * cause have finished, at `deadline` (milliseconds since the epoch) at the latest, and when the browser exits:
   * then it does not report that its requests have ended.
   */
  async waitUntilIdle(deadline: number): Promise<void> {
    while (this.#pending.size > 0 && Date.now() < deadline && !this.#exited.aborted) {
      await this.#idle(deadline);
      await delay(settleMs);
    }
  }

  /** Forgets the requests of the document before. */
  startDocument(): void {
    this.#pending.clear();
    this.#failed = new ResourceLog();
  }

  /** The resources that could not be loaded, or not yet. */
  failedResources(): ResourceLog {
    for (const resource of this.#pending.values()) {
      this.#failed.add({ ...resource, reason: "no response in time" });
    }
    return this.#failed;
  }

  /** A frame waits until its requests are watched. */
  async #watchFrame(parent: CDPSession, frame: CDPSession): Promise<void> {
    parent.on("Target.detachedFromTarget", ({ sessionId }) => {
      if (sessionId === frame.id()) this.#removeAll(frame);
    });
    const watching = Promise.all([this.watch(frame), this.onFrame?.(frame)]);
    await frame.send("Runtime.runIfWaitingForDebugger");
    await watching;
  }

  #remove(requestId: string): void {
    this.#pending.delete(requestId);
    if (this.#pending.size === 0) this.#onIdle?.();
  }

  #removeAll(session: CDPSession): void {
    for (const [requestId, request] of this.#pending) {
      if (request.session === session) this.#remove(requestId);
    }
  }

  async #idle(deadline: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onIdle = resolve;
    await waitAtMost(promise, deadline - Date.now(), this.#exited);
    this.#onIdle = undefined;
  }
}
