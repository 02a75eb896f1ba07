import { availableParallelism } from "node:os";
import { startDeadline } from "#lib/deadline.ts";
import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import { limitError, widestLimits } from "#lib/limits/limits.ts";
import { timeStep } from "#lib/timings.ts";
import { EngineError } from "../sandbox/failures/errors.ts";
import { createJobFailure } from "../sandbox/failures/failures.ts";
import { WarmPool } from "../warm/pool.ts";
import { ChromiumProcess } from "./browser.ts";
import { type Captured, type CaptureSettings, capturePage } from "./capture.ts";
import type { IsolatedWorld } from "./page/evaluate.ts";
import { openPage, type PageRequest, type PageTimeouts } from "./page/page.ts";
import type { PageTarget } from "./page/page-target.ts";
import { type PrintSettings, printPage } from "./print.ts";

/**
 * Prints and captures HTML pages with warm, sandboxed browsers. They reach the network only by the
 * guarded proxy.
 */

export interface RenderTimeouts extends PageTimeouts {
  /** Time until the browser is killed, which is the only way to stop an endless script. */
  readonly totalMs: number;
}

const defaultPageTimeouts: PageTimeouts = { loadMs: 20_000, quietMs: 10_000 };

export interface ChromiumOptions {
  /** The number of browsers, each of which prints one page at a time. */
  readonly size: number;
  /** Memory of all processes of one browser. */
  readonly memoryBytes?: number;
}

export interface RenderRequest extends PageRequest {
  readonly signal: AbortSignal;
  readonly timeouts?: RenderTimeouts;
}

export type PrintRequest = RenderRequest & PrintSettings;
export type CaptureRequest = RenderRequest & CaptureSettings;

/** What is missing in a page: a short text for each resource. */
export interface Rendered {
  readonly warnings: string[];
}

/** Writes a page that has loaded to a file. */
type SavePage<Result> = (page: PageTarget, world: IsolatedWorld) => Promise<Result>;

/** A pool of warm browsers. */
export class Chromium {
  readonly #pool: WarmPool<ChromiumProcess>;

  constructor({ size, ...limits }: ChromiumOptions) {
    const start = () => ChromiumProcess.start(limits);
    this.#pool = new WarmPool({ engine: "chromium", size, maxUses: 200, start });
  }

  /**
   * Prints a page as PDF. Throws `JobError` (`timed_out`, `out_of_memory`, `engine_crashed`,
   * `too_complex`, `empty`, `fetch_failed`), and `EngineError` if it was aborted.
   */
  async print(request: PrintRequest): Promise<Rendered> {
    const { warnings } = await this.#render(request, (page, world) =>
      printPage(page, world, request),
    );
    return { warnings };
  }

  /** Captures a page, or an element of it, as an image. Throws like `print`. */
  async capture(request: CaptureRequest): Promise<Rendered & Captured> {
    const { warnings, result } = await this.#render(request, (page, world) =>
      capturePage(page, world, request),
    );
    return { ...result, warnings };
  }

  /**
   * Prints several pages in one browser context, which takes less time than one for each. They share
   * cookies and storage, so they must come from one job.
   */
  printSeries(
    series: (print: (request: PrintRequest) => Promise<Rendered>) => Promise<void>,
  ): Promise<void> {
    const run = (browser: ChromiumProcess) =>
      series((request) =>
        renderIn(browser, request, timeoutsOf(request), (page, world) =>
          printPage(page, world, request),
        ),
      );
    return this.#pool.run(run, keepsBrowserHealthy);
  }

  #render<Result>(request: RenderRequest, save: SavePage<Result>) {
    if (request.signal.aborted) throw new EngineError({ engine: "chromium", aborted: true });
    const timeouts = timeoutsOf(request);
    const render = (browser: ChromiumProcess) => renderIn(browser, request, timeouts, save);
    return this.#pool.run(render, keepsBrowserHealthy);
  }

  /** Starts the browsers before they are needed. */
  warmUp(): Promise<void> {
    return this.#pool.warmUp();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

function timeoutsOf({ timeouts, limits = widestLimits }: RenderRequest): RenderTimeouts {
  return timeouts ?? { ...defaultPageTimeouts, totalMs: limits.pageSeconds * 1000 };
}

async function renderIn<Result>(
  browser: ChromiumProcess,
  request: RenderRequest,
  timeouts: RenderTimeouts,
  save: SavePage<Result>,
): Promise<Rendered & { readonly result: Result }> {
  let stopReason: "timedOut" | "aborted" | "crashed" | undefined;
  const stop = (reason: typeof stopReason) => {
    stopReason ??= reason;
    // Closing the browser rejects all pending calls.
    void browser.close();
  };
  const { signal } = request;
  const cancelDeadline = startDeadline({ timeoutMs: timeouts.totalMs, signal }, stop);
  try {
    const page = await timeStep("open page", () => browser.page());
    page.onCrash(() => stop("crashed"));
    await timeStep("open network", () => browser.openNetwork(request.network));
    const closeNetwork = () => browser.closeNetwork();
    const opened = await openPage(page, request, timeouts, closeNetwork);
    const { world, warnings } = opened;
    browser.prepareNext();
    const result = await timeStep("print", () => save(page, world));
    opened.stopIntercepting();
    // The page does not report a crash of the renderer process of one of its frames.
    if (browser.outOfMemory) {
      throw createJobFailure("out_of_memory", new Error("a renderer process was killed"));
    }
    return { warnings, result };
  } catch (cause) {
    if (cause instanceof JobError) throw cause;
    if (stopReason === "aborted") {
      throw new EngineError({ engine: "chromium", aborted: true, cause });
    }
    if (stopReason === "timedOut") {
      throw limitError("pageSeconds", Math.round(timeouts.totalMs / 1000), cause);
    }
    if (browser.outOfMemory) throw createJobFailure("out_of_memory", cause);
    throw createJobFailure("engine_crashed", cause);
  } finally {
    cancelDeadline();
  }
}

const chromium = new Chromium({ size: env.MEDIA_CONCURRENCY ?? availableParallelism() });

/** Calls `Chromium.print` with the browsers of this process. */
export function printDocument(request: PrintRequest): Promise<Rendered> {
  return chromium.print(request);
}

/** Calls `Chromium.printSeries` with the browsers of this process. */
export function printDocuments(
  series: (print: (request: PrintRequest) => Promise<Rendered>) => Promise<void>,
): Promise<void> {
  return chromium.printSeries(series);
}

/** Calls `Chromium.capture` with the browsers of this process. */
export function captureDocument(request: CaptureRequest): Promise<Rendered & Captured> {
  return chromium.capture(request);
}

/** Starts the browsers before they are needed. */
export function warmUpChromium(): Promise<void> {
  return chromium.warmUp();
}

export function closeChromium(): Promise<void> {
  return chromium.close();
}

/** Whether the error is only about the document. */
function keepsBrowserHealthy(error: unknown): boolean {
  const codes: readonly string[] = ["empty", "fetch_failed"];
  return error instanceof JobError && codes.includes(error.code);
}
