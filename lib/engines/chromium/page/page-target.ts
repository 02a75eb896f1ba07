import { setTimeout as delay } from "node:timers/promises";
import type { CDPSession, Protocol } from "puppeteer";
import { RequestCounter } from "./requests.ts";

/**
 * A page in a browser context of its own, controlled by protocol commands. Puppeteer's `Page` is not
 * used: it enables more of the protocol than printing needs, which takes a fifth of the time of a small
 * page.
 */
export class PageTarget {
  readonly session: CDPSession;
  readonly frameId: string;
  /** Pending requests of the page and its frames. */
  readonly requests: RequestCounter;
  readonly #browser: CDPSession;
  readonly #browserContextId: string;
  /** The document that the page has before the next one is loaded. */
  #currentLoaderId: string;
  readonly #exited: AbortSignal;
  /** Errors that scripts of the page did not catch, since `watchScripts`. */
  readonly scriptErrors: string[] = [];

  private constructor(fields: {
    readonly browser: CDPSession;
    readonly browserContextId: string;
    readonly session: CDPSession;
    readonly frame: Protocol.Page.Frame;
    readonly requests: RequestCounter;
    readonly exited: AbortSignal;
  }) {
    this.#browser = fields.browser;
    this.#browserContextId = fields.browserContextId;
    this.session = fields.session;
    this.frameId = fields.frame.id;
    this.#currentLoaderId = fields.frame.loaderId;
    this.requests = fields.requests;
    this.#exited = fields.exited;
  }

  /**
   * Creates an empty page. `browser` is a session of the browser itself, `exited` is aborted when its
   * process has exited.
   */
  static async create(browser: CDPSession, exited: AbortSignal): Promise<PageTarget> {
    const { browserContextId } = await browser.send("Target.createBrowserContext");
    const [{ targetId }] = await Promise.all([
      browser.send("Target.createTarget", { url: "about:blank", browserContextId }),
      browser.send("Browser.setDownloadBehavior", { behavior: "deny", browserContextId }),
    ]);
    const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
    const session = browser.connection()?.session(sessionId);
    if (!session) throw new Error("the session of a page was closed");
    session.on("Page.javascriptDialogOpening", ({ type }) => {
      const accept = type === "beforeunload";
      session.send("Page.handleJavaScriptDialog", { accept }).catch(() => {});
    });
    const requests = new RequestCounter(exited);
    const [{ frameTree }] = await Promise.all([
      session.send("Page.getFrameTree"),
      session.send("Page.enable"),
      session.send("Page.setLifecycleEventsEnabled", { enabled: true }),
      requests.watch(session),
    ]);
    const { frame } = frameTree;
    return new PageTarget({ browser, browserContextId, session, frame, requests, exited });
  }

  /** Collects the errors that scripts of the next documents do not catch, at most 20. */
  async watchScripts(): Promise<void> {
    this.scriptErrors.length = 0;
    this.session.removeAllListeners("Runtime.exceptionThrown");
    this.session.on("Runtime.exceptionThrown", ({ exceptionDetails: { exception, text } }) => {
      const [first = text] = (exception?.description ?? text).split("\n");
      if (this.scriptErrors.length < 20) this.scriptErrors.push(first);
    });
    await this.session.send("Runtime.enable");
  }

  /** Calls `onCrash` if the renderer process of the page crashes. Calls to the page then never return. */
  onCrash(onCrash: () => void): void {
    this.session.removeAllListeners("Inspector.targetCrashed");
    this.session.once("Inspector.targetCrashed", onCrash);
  }

  /**
   * Resolves when a document has loaded, with all its frames and resources, when its loading was ended by
   * a script that navigates, or never. Rejects if the browser exits.
   */
  async load(url: string): Promise<void> {
    const { promise: loaded, resolve, reject } = Promise.withResolvers<void>();
    loaded.catch(() => {}); // may be rejected before it is awaited
    const onExit = () => reject(new Error("the browser has exited"));
    this.#exited.addEventListener("abort", onExit, { once: true });
    const previous = this.#currentLoaderId;
    let isShown = false;
    const onLifecycle = ({ name, frameId, loaderId }: Protocol.Page.LifecycleEventEvent) => {
      const isNext = frameId === this.frameId && loaderId !== previous;
      if (isNext && name === "init") isShown = true;
      if (isNext && name === "load") resolve();
    };
    // A document has no load event if a script of it navigates, which is refused.
    const onStopped = ({ frameId }: Protocol.Page.FrameStoppedLoadingEvent) => {
      if (isShown && frameId === this.frameId) resolve();
    };
    this.session.on("Page.lifecycleEvent", onLifecycle);
    this.session.on("Page.frameStoppedLoading", onStopped);
    try {
      const { errorText, loaderId } = await this.session.send("Page.navigate", { url });
      if (errorText) throw new Error(`the page was not loaded: ${errorText}`);
      if (loaderId) this.#currentLoaderId = loaderId;
      await loaded;
    } finally {
      this.session.off("Page.lifecycleEvent", onLifecycle);
      this.session.off("Page.frameStoppedLoading", onStopped);
      this.#exited.removeEventListener("abort", onExit);
    }
  }

  /** Resolves after `ms`, and when the browser exits. */
  async wait(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#exited }).catch(() => {});
  }

  /** Closes the page and deletes all data of its context. */
  async close(): Promise<void> {
    const browserContextId = this.#browserContextId;
    await this.#browser.send("Target.disposeBrowserContext", { browserContextId });
  }
}
