import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { createSampleData } from "#tests/screenshots/accounts.ts";
import { startService } from "#tests/service/service.ts";
import { signInTo } from "#tests/service/sign-in.ts";
import { launchOptions } from "#tests/support/chromium.ts";
import { computeMedian, printTable, writeResults } from "./measure.ts";
import { createInteractions } from "./page-interactions.ts";
import { measureInteraction, measureLoad, resourceKinds, watchVitals } from "./page-vitals.ts";

/** Speed of the pages in a browser: paints, layout shifts, bytes by kind, and the reaction to clicks and keys. */

const rounds = 3;

/** A phone as Lighthouse emulates it: a slow processor and slow 4G. */
const phone = {
  viewport: { width: 390, height: 844 },
  processorSlowdown: 4,
  network: {
    offline: false,
    latency: 150,
    downloadThroughput: 1_638_400 / 8,
    uploadThroughput: 768_000 / 8,
  },
};

const running = await startService();
const browser = await chromium.launch(launchOptions);
try {
  const { busy, jobs } = await createSampleData(running);
  const job = (operation: string) => `/dashboard/jobs/${jobs[operation]?.id}`;
  const pages = {
    "/": "/",
    "/docs": "/docs",
    "/docs/webhooks": "/docs/webhooks",
    "/docs/image/watermark-text": "/docs/image/watermark-text",
    "/sign-in": "/sign-in",
    "/dashboard": "/dashboard",
    "/dashboard/jobs": "/dashboard/jobs",
    "a job with an image": job("image/watermark-text"),
    "a job with a PDF": job("document/html-to-pdf"),
    "/dashboard/playground": "/dashboard/playground",
    "/dashboard/keys": "/dashboard/keys",
    "/dashboard/webhooks": "/dashboard/webhooks",
    "/dashboard/settings": "/dashboard/settings",
  };

  const loads = [];
  for (const [name, path] of Object.entries(pages)) {
    const desktop = [];
    const onPhone = [];
    // The first round warms up the server and is not counted.
    for (let round = 0; round <= rounds; round++) {
      const load = await withPage(path, (page) => measureLoad(page, path));
      if (round > 0) desktop.push(load);
    }
    for (let round = 0; round < rounds; round++) {
      onPhone.push(await withPage(path, (page) => measureOnPhone(page, path)));
    }
    loads.push({
      page: name,
      lcpMs: computeMedian(desktop.map(({ lcpMs }) => lcpMs)),
      cls: Math.max(...[...desktop, ...onPhone].map(({ cls }) => cls)),
      phoneLcpMs: computeMedian(onPhone.map(({ lcpMs }) => lcpMs)),
      bytes: desktop.at(-1)?.bytes,
    });
  }

  printTable([
    ["page", "LCP ms", "LCP ms, phone", "CLS", ...resourceKinds.map((kind) => `${kind} KB`), "all"],
    ...loads.map(({ page, lcpMs, phoneLcpMs, cls, bytes }) => {
      const sizes = resourceKinds.map((kind) => (bytes?.[kind] ?? 0) / 1000);
      const all = sizes.reduce((sum, size) => sum + size, 0);
      const paints = [lcpMs, phoneLcpMs].map((ms) => ms.toFixed(0));
      return [page, ...paints, cls.toFixed(3), ...[...sizes, all].map((size) => size.toFixed(0))];
    }),
  ]);

  const times = [];
  for (const interaction of createInteractions({ imageJob: job("image/watermark-text") })) {
    const taken = [];
    for (let round = 0; round <= rounds; round++) {
      const time = await withPage(interaction.path, (page) =>
        measureInteraction(page, interaction),
      );
      if (round > 0) taken.push(time);
    }
    times.push({
      interaction: interaction.name,
      paintMs: computeMedian(taken.map(({ paintMs }) => paintMs)),
      slowestPaintMs: Math.max(...taken.map(({ paintMs }) => paintMs)),
      seenMs: computeMedian(taken.map(({ seenMs }) => seenMs)),
    });
  }

  printTable([
    ["interaction", "to the next paint, ms (median / slowest)", "until it is visible, ms"],
    ...times.map(({ interaction, paintMs, slowestPaintMs, seenMs }) => [
      interaction,
      `${paintMs} / ${slowestPaintMs}`,
      seenMs.toFixed(0),
    ]),
  ]);
  writeResults("pages", { loads, interactions: times });

  async function withPage<Result>(path: string, work: (page: Page) => Promise<Result>) {
    const context = await openContext(browser);
    if (path.startsWith("/dashboard")) await signInTo(context, running.service.url, busy);
    const result = await work(await context.newPage());
    await context.close();
    return result;
  }
} finally {
  await browser.close();
  await running.stop();
}

async function openContext(from: Browser): Promise<BrowserContext> {
  const context = await from.newContext({ baseURL: running.service.url });
  await watchVitals(context);
  return context;
}

async function measureOnPhone(page: Page, path: string) {
  await page.setViewportSize(phone.viewport);
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.emulateNetworkConditions", phone.network);
  await client.send("Emulation.setCPUThrottlingRate", { rate: phone.processorSlowdown });
  return measureLoad(page, path);
}
