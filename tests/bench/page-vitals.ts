import type { BrowserContext, Page } from "@playwright/test";

/** How a page came, to whom it came for the first time. */
export interface PageLoad {
  /** From the navigation's start to the largest contentful paint. */
  readonly lcpMs: number;
  /** The sum of all layout shifts that no click or key was the cause of. */
  readonly cls: number;
  /** Bytes as they came over the wire, headers included. */
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

/** What a page keeps of itself while it is open. */
interface Vitals {
  lcpMs: number;
  cls: number;
  /** The longest event of each interaction, from the input to the next paint. */
  interactionsMs: Record<number, number>;
  /** When the first input came after `begin`, in the page's own time. */
  inputAt: number | undefined;
}

declare global {
  interface Window {
    vitals: Vitals;
  }
}

/** Has every page of the context measure itself. */
export async function watchVitals(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const vitals: Vitals = { lcpMs: 0, cls: 0, interactionsMs: {}, inputAt: undefined };
    window.vitals = vitals;
    const observe = (init: PerformanceObserverInit, take: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe(init);
    observe({ type: "largest-contentful-paint", buffered: true }, ({ startTime }) => {
      vitals.lcpMs = startTime;
    });
    observe({ type: "layout-shift", buffered: true }, (entry) => {
      // Not among the types of the DOM yet.
      const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
      if (!shift.hadRecentInput) vitals.cls += shift.value;
    });
    // Shorter ones than 16 ms the browser does not tell.
    const events = { type: "event", durationThreshold: 16, buffered: true };
    observe(events, (entry) => {
      const { interactionId = 0, duration } = entry as PerformanceEventTiming;
      if (interactionId === 0) return;
      const before = vitals.interactionsMs[interactionId] ?? 0;
      vitals.interactionsMs[interactionId] = Math.max(before, duration);
    });
    for (const type of ["pointerdown", "keydown"]) {
      const note = ({ timeStamp }: Event) => {
        vitals.inputAt ??= timeStamp;
      };
      window.addEventListener(type, note, { capture: true });
    }
  });
}

/** Opens `path`, and waits until nothing comes any more. */
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

/** Something that people do, and how to see that it is done. */
export interface Interaction {
  readonly name: string;
  readonly path: string;
  /** Pixels; 1440 × 900 by itself. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** What comes before, and is not measured. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  readonly act: (page: Page) => Promise<unknown>;
  /** Runs in the page: the page's time once what was wanted is there, false before. */
  readonly seen: () => number | false;
}

export interface InteractionTime {
  /** From the input to the next paint, of the slowest one: what INP is made of. */
  readonly paintMs: number;
  /** From the first input until what was wanted is seen. */
  readonly seenMs: number;
}

/** Does it once on a page of its own. */
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
  // The browser tells of events after the paint that they led to.
  await page.waitForTimeout(200);
  const { interactionsMs, inputAt = seenAt } = await page.evaluate(() => window.vitals);
  return { paintMs: Math.max(0, ...Object.values(interactionsMs)), seenMs: seenAt - inputAt };
}

/** Until the page is drawn, its buttons work and what it loads ahead has come. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await page.waitForTimeout(500);
}
