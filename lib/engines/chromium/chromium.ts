import { availableParallelism } from "node:os";
import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import { limitError, widestLimits } from "#lib/limits/limits.ts";
import { EngineError } from "../sandbox/errors.ts";
import { failAs } from "../sandbox/failures.ts";
import { WarmPool } from "../warm/pool.ts";
import { ChromiumWorker } from "./browser.ts";
import { type PageRequest, type PageTimes, renderPage } from "./page.ts";

/** HTML pages by a warm, sandboxed Chromium whose only way out is the guarded proxy. */

export interface PrintTimes extends PageTimes {
  /** When the browser is ended whatever it does: an endless script heeds no other limit. */
  readonly totalMs: number;
}

const loadTimes: PageTimes = { loadMs: 20_000, quietMs: 10_000 };

export interface ChromiumOptions {
  /** Browsers, each for one page at a time. */
  readonly size: number;
  /** What all processes of one browser may use. */
  readonly memoryBytes?: number;
}

export interface PrintRequest extends PageRequest {
  readonly signal: AbortSignal;
  readonly times?: PrintTimes;
}

/** Warm browsers. */
export class Chromium {
  readonly #pool: WarmPool<ChromiumWorker>;

  constructor({ size, ...limits }: ChromiumOptions) {
    const start = () => ChromiumWorker.open(limits);
    this.#pool = new WarmPool({ engine: "chromium", size, maxUses: 200, start });
  }

  /**
   * Prints a page as PDF. Throws `JobError` (`timed_out`, `out_of_memory`, `engine_crashed`,
   * `too_complex`, `empty`), and `EngineError` where it was stopped.
   */
  async print(request: PrintRequest): Promise<void> {
    const { signal, caps = widestLimits } = request;
    const times = request.times ?? { ...loadTimes, totalMs: caps.pageSeconds * 1000 };
    if (signal.aborted) throw new EngineError({ engine: "chromium", aborted: true });
    await this.#pool.use((worker) => printIn(worker, request, times), isAnswer);
  }

  /** Starts the browsers ahead of need. */
  warm(): Promise<void> {
    return this.#pool.warm();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

async function printIn(
  worker: ChromiumWorker,
  request: PrintRequest,
  times: PrintTimes,
): Promise<void> {
  let ended: "timedOut" | "aborted" | "crashed" | undefined;
  const end = (why: typeof ended) => {
    ended ??= why;
    // Whatever waits for the browser is rejected by its end.
    void worker.close();
  };
  const onAbort = () => end("aborted");
  const timer = setTimeout(() => end("timedOut"), times.totalMs);
  request.signal.addEventListener("abort", onAbort, { once: true });
  try {
    const page = await worker.page();
    // The page's own process has died; without it no request about the page is ever answered.
    page.once("error", () => end("crashed"));
    await renderPage(page, request, times, () => worker.cutOff());
    // A frame's process, of which the page itself does not tell.
    if (worker.outOfMemory) throw failAs("out_of_memory", new Error("a part of the page ended"));
  } catch (cause) {
    if (cause instanceof JobError) throw cause;
    if (ended === "aborted") throw new EngineError({ engine: "chromium", aborted: true, cause });
    if (ended === "timedOut") {
      throw limitError("pageSeconds", Math.round(times.totalMs / 1000), cause);
    }
    if (worker.outOfMemory) {
      throw failAs("out_of_memory", cause);
    }
    throw failAs("engine_crashed", cause);
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener("abort", onAbort);
  }
}

const chromium = new Chromium({ size: env.MEDIA_CONCURRENCY ?? availableParallelism() });

/** `Chromium.print` on this process's own browsers. */
export function printDocument(request: PrintRequest): Promise<void> {
  return chromium.print(request);
}

/** Starts the browsers ahead of need. */
export function warmChromium(): Promise<void> {
  return chromium.warm();
}

export function closeChromium(): Promise<void> {
  return chromium.close();
}

/** A plain answer about the document raises no doubt about the browser. */
function isAnswer(error: unknown): boolean {
  return error instanceof JobError && error.code === "empty";
}
