import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { CDPSession } from "puppeteer";
import { withTimeout } from "#lib/deadline.ts";
import type { Network } from "#lib/net/network.ts";
import { type GuardedProxy, startGuardedProxy } from "#lib/net/proxy/proxy.ts";
import { currentSandbox } from "../sandbox/current-sandbox.ts";
import { EngineError, EngineMissingError } from "../sandbox/failures/errors.ts";
import { createSocketFolder } from "../sandbox/folder/socket-folder.ts";
import { requireSandbox } from "../sandbox/require-sandbox.ts";
import { startEngine } from "../sandbox/run-engine.ts";
import type { ResourceLimits, RunningProcess } from "../sandbox/spawn.ts";
import type { WarmProcess } from "../warm/warm-process.ts";
import { chromiumCommand, findChromium, socketName } from "./command.ts";
import { PageTarget } from "./page/page-target.ts";
import { PipeTransport } from "./transport.ts";

/** Memory of all processes of one browser; a large page uses about 300 MB. */
const memoryBytes = 2 * 2 ** 30;

/** Processes and threads; a page with 100 frames has about 300. */
const processes = 2048;

const startTimeoutMs = 30_000;

/**
 * A warm sandboxed Chromium with its own guarded proxy. The page of the next job is created in
 * advance. Each page has a separate browser context, so that jobs cannot access each other's data.
 */
export class ChromiumProcess implements WarmProcess {
  /** A session of the browser itself. */
  readonly #browser: CDPSession;
  readonly #proxy: GuardedProxy;
  readonly #running: RunningProcess;
  readonly #cleanUp: () => Promise<void>;
  /** The page of this job, or of the next one. */
  #page: Promise<PageTarget>;
  /** The page after that, while this job is finishing. */
  #nextPage: Promise<PageTarget> | undefined;
  /** Resolves when the page of the last job is closed. Until then it may still send requests. */
  #lastClosed: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  #isNetworkClosed = false;
  /** The controller that is aborted when the process has exited. */
  readonly #exited = new AbortController();

  private constructor(
    browser: CDPSession,
    running: RunningProcess,
    proxy: GuardedProxy,
    cleanUp: () => Promise<void>,
  ) {
    this.#browser = browser;
    this.#running = running;
    this.#proxy = proxy;
    this.#cleanUp = cleanUp;
    running.child.once("close", () => this.#exited.abort());
    this.#page = this.#preparePage();
  }

  /** Rejects with `EngineMissingError`, or with `EngineError` if it does not start. */
  static async start(limits: Partial<ResourceLimits> = {}): Promise<ChromiumProcess> {
    const binary = findChromium();
    if (!binary) throw new EngineMissingError("chromium");
    await requireSandbox("Chromium");
    const { level } = await currentSandbox();
    const folder = await createSocketFolder("slots", "chromium", socketName);
    const proxy = await startGuardedProxy(join(folder, socketName));
    const command = chromiumCommand(binary, folder, level);
    let running: RunningProcess | undefined;
    const cleanUp = async () => {
      running?.kill();
      await proxy.close();
      await rm(folder, { recursive: true, force: true });
    };
    try {
      running = await startEngine(command, { memoryBytes, processes, ...limits });
      return new ChromiumProcess(await connect(running), running, proxy, cleanUp);
    } catch (cause) {
      await cleanUp();
      throw cause;
    }
  }

  get healthy(): boolean {
    const { outOfMemory } = this.#running;
    return !this.#closed && !this.#browser.detached && !this.#isNetworkClosed && !outOfMemory;
  }

  get peakMemoryBytes(): number | undefined {
    return this.#running.peakMemoryBytes;
  }

  /** Whether one of its processes was killed for exceeding the memory limit. */
  get outOfMemory(): boolean {
    return this.#running.outOfMemory;
  }

  /** The page of this job: a new empty one in a separate browser context, until `reset`. */
  page(): Promise<PageTarget> {
    return this.#page;
  }

  /**
   * Starts to create the page of the next job, while the one of this job is saved: then the processes of the browser
   * mostly wait for one another.
   */
  prepareNext(): void {
    if (this.healthy) this.#nextPage ??= this.#preparePage();
  }

  /**
   * Lets the pages of this job load resources from `network`. Before, and after `reset`, none is loaded. The requests
   * of the last job cannot use it.
   */
  async openNetwork(network: Network): Promise<void> {
    await this.#lastClosed;
    if (!this.#isNetworkClosed) this.#proxy.open(network);
  }

  /** Closes all network connections permanently. This browser serves no further job. */
  async closeNetwork(): Promise<void> {
    this.#isNetworkClosed = true;
    await this.#proxy.close();
  }

  /** Creates the page of the next job, unless it is there, and closes the last context, both in the background. */
  async reset(): Promise<void> {
    this.#proxy.shut();
    const used = this.#page;
    this.#page = this.#nextPage ?? this.#preparePage();
    this.#nextPage = undefined;
    // If a context cannot be closed, the browser is replaced.
    const closed = used.then((page) => page.close()).catch(() => this.close());
    this.#lastClosed = Promise.all([this.#lastClosed, closed]).then(() => {});
  }

  close(): Promise<void> {
    this.#closed ??= this.#cleanUp();
    return this.#closed;
  }

  #preparePage(): Promise<PageTarget> {
    const page = PageTarget.create(this.#browser, this.#exited.signal);
    // A page that crashes before its job would not answer it. Without a page, the browser is replaced.
    page.then(
      (created) => created.onCrash(() => void this.close()),
      () => void this.close(),
    );
    return page;
  }
}

/** Resolves with a session of the browser itself. */
async function connect(running: RunningProcess): Promise<CDPSession> {
  const { child } = running;
  // Imported here, because the web service loads this module with the catalogue but never runs it.
  const { default: puppeteer } = await import("puppeteer");
  let stderrTail = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderrTail = (stderrTail + chunk.toString("utf8")).slice(-4096);
  });
  child.stdout.resume();
  child.stdin.on("error", () => {});
  const { promise: exited, reject } = Promise.withResolvers<never>();
  exited.catch(() => {});
  const createError = () => new EngineError({ engine: "chromium", stderrTail });
  child.on("close", () => reject(createError()));
  const transport = new PipeTransport(child, () => running.kill());
  const connecting = puppeteer
    .connect({ transport, defaultViewport: null })
    .then((browser) => browser.target().createCDPSession());
  const session = await withTimeout(
    Promise.race([connecting, exited]),
    startTimeoutMs,
    createError,
  );
  // Puppeteer would attach to each page in addition, although it controls none.
  const detached = { autoAttach: false, waitForDebuggerOnStart: false, flatten: true };
  await session.connection()?.send("Target.setAutoAttach", detached);
  await session.connection()?.send("Target.setDiscoverTargets", { discover: false });
  return session;
}
