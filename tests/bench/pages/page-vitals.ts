import type { BrowserContext, Page } from "@playwright/test";

/** How a page loaded in a browser that had not opened it before. */
export interface PageLoad {
  /** The time from the start of the navigation to the largest contentful paint. */
  readonly lcpMs: number;
  /** The sum of all layout shifts that no click or key press caused. */
  readonly cls: number;
  /** The transferred bytes, headers included. */
  readonly bytes: Readonly<Record<ResourceKind, number>>;
}

export const resourceKinds = ["html", "css", "js", "fonts", "images", "data"] as const;
export type ResourceKind = (typeof resourceKinds)[number];

const kinds: Readonly<Record<string, ResourceKind>> = {
  Document: "html",
  Stylesheet: "css",
  Script: "js",
  Font: "fonts",
  Image: "images",
};

/** Figures that a page records about itself while it is open. */
interface Vitals {
  lcpMs: number;
  cls: number;
  /** The longest event of each interaction, from the input to the next paint, by interaction id. */
  interactionsMs: Record<number, number>;
  /** Time of the first input since the last reset, in milliseconds since the navigation started. */
  inputAt: number | undefined;
}

declare global {
  interface Window {
    vitals: Vitals;
  }
}

/** Makes every page of the context record its vitals. */
export async function watchVitals(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const vitals: Vitals = { lcpMs: 0, cls: 0, interactionsMs: {}, inputAt: undefined };
    window.vitals = vitals;
    const observe = (init: PerformanceObserverInit, record: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(record)).observe(init);
    observe({ type: "largest-contentful-paint", buffered: true }, ({ startTime }) => {
      vitals.lcpMs = startTime;
    });
    observe({ type: "layout-shift", buffered: true }, (entry) => {
      // The DOM types do not declare layout shifts yet.
      const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
      if (!shift.hadRecentInput) vitals.cls += shift.value;
    });
    // The browser does not report events shorter than 16 ms.
    const events = { type: "event", durationThreshold: 16, buffered: true };
    observe(events, (entry) => {
      const { interactionId = 0, duration } = entry as PerformanceEventTiming;
      if (interactionId === 0) return;
      const before = vitals.interactionsMs[interactionId] ?? 0;
      vitals.interactionsMs[interactionId] = Math.max(before, duration);
    });
    for (const type of ["pointerdown", "keydown"]) {
      const recordInput = ({ timeStamp }: Event) => {
        vitals.inputAt ??= timeStamp;
      };
      window.addEventListener(type, recordInput, { capture: true });
    }
  });
}

/** Opens `path` and waits until the page has loaded completely. */
export async function measureLoad(page: Page, path: string): Promise<PageLoad> {
  const bytes = { html: 0, css: 0, js: 0, fonts: 0, images: 0, data: 0 };
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  const types = new Map<string, ResourceKind>();
  client.on("Network.responseReceived", ({ requestId, type }) => {
    types.set(requestId, kinds[type] ?? "data");
  });
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    bytes[types.get(requestId) ?? "data"] += encodedDataLength;
  });
  await page.goto(path, { waitUntil: "load" });
  await settle(page);
  const { lcpMs, cls } = await page.evaluate(() => window.vitals);
  return { lcpMs, cls, bytes };
}

/** An action of a user, and how to detect that it has taken effect. */
export interface Interaction {
  readonly name: string;
  readonly path: string;
  /** The size of the window in pixels; by default 1440 × 900. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Runs before the measurement. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  readonly act: (page: Page) => Promise<unknown>;
  /** Runs in the page: the page's time once the effect is visible, false before. */
  readonly seen: () => number | false;
}

export interface InteractionTime {
  /** The time from the input to the next paint, of the slowest event; the basis of INP. */
  readonly paintMs: number;
  /** The time from the first input until the effect is visible. */
  readonly seenMs: number;
}

/** Measures an interaction once on `page`. */
export async function measureInteraction(
  page: Page,
  { path, viewport, prepare, act, seen }: Interaction,
): Promise<InteractionTime> {
  await page.setViewportSize(viewport ?? { width: 1440, height: 900 });
  await page.goto(path, { waitUntil: "load" });
  await settle(page);
  await prepare?.(page);
  await page.evaluate(() => {
    window.vitals.interactionsMs = {};
    window.vitals.inputAt = undefined;
  });
  const [at] = await Promise.all([
    page.waitForFunction(seen, undefined, { polling: "raf" }),
    act(page),
  ]);
  const seenAt = Number(await at.jsonValue());
  // The browser reports events after the paint that they caused.
  await page.waitForTimeout(200);
  const { interactionsMs, inputAt = seenAt } = await page.evaluate(() => window.vitals);
  return { paintMs: Math.max(0, ...Object.values(interactionsMs)), seenMs: seenAt - inputAt };
}

/** Waits until the page is rendered and interactive, and its prefetches have finished. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await page.waitForTimeout(500);
}
