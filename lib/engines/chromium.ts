import { availableParallelism } from "node:os";
import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import { ChromiumWorker } from "./chromium-browser.ts";
import { type PageRequest, type PageTimes, renderPage } from "./chromium-page.ts";
import { EngineError } from "./errors.ts";
import { WarmPool } from "./warm-pool.ts";

/** HTML pages by a warm, sandboxed Chromium whose only way out is the guarded proxy. */

export interface PrintTimes extends PageTimes {
  /** When the browser is ended whatever it does: an endless script heeds no other limit. */
  readonly totalMs: number;
}

const defaultTimes: PrintTimes = { loadMs: 20_000, quietMs: 10_000, totalMs: 30_000 };

const pool = new WarmPool({
  size: env.MEDIA_CONCURRENCY ?? availableParallelism(),
  maxUses: 200,
  start: (index) => ChromiumWorker.open(index),
});

export interface PrintRequest extends PageRequest {
  readonly signal: AbortSignal;
  readonly times?: PrintTimes;
}

/**
 * Prints a page as PDF. Throws `JobError` (`timed_out`, `out_of_memory`, `engine_crashed`,
 * `too_complex`, `empty`), and `EngineError` where it was stopped.
 */
export async function printDocument(request: PrintRequest): Promise<void> {
  const times = request.times ?? defaultTimes;
  if (request.signal.aborted) throw new EngineError({ engine: "chromium", aborted: true });
  await pool.use((worker) => printIn(worker, request, times), isAnswer);
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
  } catch (cause) {
    if (cause instanceof JobError) throw cause;
    if (ended === "aborted") throw new EngineError({ engine: "chromium", aborted: true, cause });
    if (ended === "timedOut") {
      const seconds = Math.round(times.totalMs / 1000);
      throw new JobError("timed_out", `The page was not ready within ${seconds} s.`, { cause });
    }
    if (worker.outOfMemory) {
      throw new JobError("out_of_memory", "The page needs more memory than it may use.", { cause });
    }
    throw new JobError("engine_crashed", "The page could not be rendered.", { cause });
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener("abort", onAbort);
  }
}

/** Starts the browsers ahead of need. */
export function warmChromium(): Promise<void> {
  return pool.warm();
}

export function closeChromium(): Promise<void> {
  return pool.close();
}

/** A plain answer about the document raises no doubt about the browser. */
function isAnswer(error: unknown): boolean {
  return error instanceof JobError && error.code === "empty";
}
