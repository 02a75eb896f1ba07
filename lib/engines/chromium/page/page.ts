import { waitAtMost } from "#lib/deadline.ts";
import { JobError } from "#lib/errors.ts";
import { type FileLimits, limitError, widestLimits } from "#lib/limits/limits.ts";
import type { Network } from "#lib/net/network.ts";
import { timeStep } from "#lib/timings.ts";
import { changePage, quote } from "./change-page.ts";
import { emulateSettings } from "./emulate.ts";
import { IsolatedWorld } from "./evaluate.ts";
import { interceptRequests } from "./intercept.ts";
import { networkWarnings } from "./network-warnings.ts";
import { type PageDocument, uploadUrl } from "./page-document.ts";
import type { PageTarget } from "./page-target.ts";
import { listResources, type ResourceLog } from "./resource-log.ts";
import type { PageSettings } from "./settings.ts";

export interface PageTimeouts {
  /** The time to load the page. Resources that are still missing then are omitted. */
  readonly loadMs: number;
  /** The time to wait for requests that the page sends after it has loaded. */
  readonly quietMs: number;
}

export interface PageRequest {
  readonly document: PageDocument;
  /** What the page loads its resources from. */
  readonly network: Network;
  readonly settings?: PageSettings;
  readonly limits?: FileLimits;
}

export interface OpenedPage {
  readonly world: IsolatedWorld;
  readonly warnings: string[];
  /** Call it before another document is loaded in the page. */
  readonly stopIntercepting: () => void;
}

/** The time to wait for fonts after all other resources have loaded. */
const fontsTimeoutMs = 2000;

/** The time to parse the rest of the document after its pending resources were given up. */
const parseTimeoutMs = 1000;

/**
 * Loads the document in `page`, changes it by its settings, and waits for its fonts. If it does not finish
 * loading in time, it calls `closeNetwork`, which must fail all pending requests, and continues with the
 * loaded part. Throws `JobError`, and the errors of Puppeteer if the browser fails.
 */
export async function openPage(
  page: PageTarget,
  { document, network, settings = {}, limits = widestLimits }: PageRequest,
  timeouts: PageTimeouts,
  closeNetwork: () => Promise<void>,
): Promise<OpenedPage> {
  page.requests.startDocument();
  if (settings.failsOnScriptError) await page.watchScripts();
  const [stopIntercepting] = await Promise.all([
    interceptRequests(page, document, settings),
    emulateSettings(page, document, settings),
  ]);
  await timeStep("load", () => loadPage(page, document.url, timeouts, closeNetwork));
  const world = await IsolatedWorld.create(page);
  const warnings = await timeStep("change page", () => changePage(page, world, settings));
  const height = await timeStep("lay out", () => waitForFonts(world));
  if (height > limits.htmlHeight) throw limitError("htmlHeight", limits.htmlHeight);
  const failed = page.requests.failedResources();
  requireLoaded(failed, page.scriptErrors, settings);
  const unloaded = [...networkWarnings(network, failed), ...failed.warnings(uploadUrl)];
  return { world, warnings: [...warnings, ...unloaded], stopIntercepting };
}

/** Throws `JobError` `fetch_failed` or `empty` for what the settings do not tolerate. */
function requireLoaded(
  failed: ResourceLog,
  scriptErrors: readonly string[],
  { failsOnStatus, failsOnMissing, toleratedHosts = [], failsOnScriptError }: PageSettings,
): void {
  const refused = failsOnStatus ? failed.withStatus(failsOnStatus, toleratedHosts, uploadUrl) : [];
  if (refused.length > 0) {
    const message = `The servers of some resources responded with errors: ${listResources(refused, uploadUrl)}.`;
    throw new JobError("fetch_failed", message);
  }
  const missing = failsOnMissing ? failed.missing(uploadUrl) : [];
  if (missing.length > 0) {
    const message = `Some resources got no response: ${listResources(missing, uploadUrl)}.`;
    throw new JobError("fetch_failed", message);
  }
  if (!failsOnScriptError || scriptErrors.length === 0) return;
  const message = `Scripts of the page failed: ${scriptErrors.map(quote).join("; ")}.`;
  throw new JobError("empty", message);
}

/** Resolves when the page has loaded and sends no more requests, or when its time is over. */
async function loadPage(
  page: PageTarget,
  url: string,
  timeouts: PageTimeouts,
  closeNetwork: () => Promise<void>,
): Promise<void> {
  const deadline = Date.now() + timeouts.loadMs;
  const loading = page.load(url).then(() => true);
  if (await waitAtMost(loading, timeouts.loadMs)) {
    return page.requests.waitUntilIdle(Math.min(deadline, Date.now() + timeouts.quietMs));
  }
  // Pending requests fail now, so that the browser parses the rest of the document.
  await closeNetwork();
  await waitAtMost(loading, parseTimeoutMs);
}

/** Returns the height of the page in pixels. */
async function waitForFonts(world: IsolatedWorld): Promise<number> {
  const height = await world.evaluate(`(async () => {
    const timeout = new Promise((resolve) => setTimeout(resolve, ${fontsTimeoutMs}));
    await Promise.race([document.fonts.ready, timeout]);
    return document.documentElement?.scrollHeight ?? 0;
  })()`);
  return Number(height);
}
