import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { disconnect } from "#lib/db/client.ts";
import { env } from "#lib/env.ts";
import type { Job } from "#lib/jobs/view/job.ts";
import { findRunningDatabase } from "#lib/supervisor/database/running-database.ts";
import { createSampleData } from "#tests/screenshots/accounts.ts";
import { insertManyJobs } from "#tests/service/database/many-jobs.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { signInTo } from "#tests/service/http/sign-in.ts";
import { type ServiceWithHost, startService } from "#tests/service/service.ts";
import { launchOptions } from "#tests/support/chromium.ts";
import { createInteractions } from "./pages/page-interactions.ts";
import {
  measureInteraction,
  measureLoad,
  type ResourceKind,
  resourceKinds,
  watchVitals,
} from "./pages/page-vitals.ts";
import { type BenchRow, makeRow, type Target } from "./report/rows.ts";

const rounds = 3;

const inputs = join(import.meta.dirname, "../../public/samples/inputs");

/** The number of jobs of the account that opens the pages of the dashboard. */
const jobsInAccount = 100_000;

/** The target on a desktop computer, in milliseconds. */
const lcpTarget: Target = { max: 1200 };
const paintTarget: Target = { max: 200 };

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

/** Speed of the pages in a browser: paints, layout shifts, bytes by kind, and the reaction to clicks and keys. */
export default {
  title: "pages",
  async run(): Promise<BenchRow[]> {
    const running = await startService();
    const browser = await chromium.launch(launchOptions);
    try {
      return await measurePages(running, browser);
    } finally {
      await browser.close();
      await disconnect();
      await running.stop();
    }
  },
};

async function measurePages(running: ServiceWithHost, browser: Browser): Promise<BenchRow[]> {
  const { busy } = await createSampleData(running);
  const api = new ApiClient(running.service.url, busy.key);
  const photo = { bytes: await readFile(join(inputs, "photo.jpg")), filename: "photo.jpg" };
  const image = await api.run("image/watermark-text", photo, { text: "Lakehouse" });
  const page = { bytes: await readFile(join(inputs, "invoice.html")), filename: "invoice.html" };
  const document = await api.run("document/html-to-pdf", page);
  // The environment was read before the service had a database.
  Object.assign(env, { DATABASE_URL: await findRunningDatabase(running.service.dataDir) });
  await insertManyJobs(busy.accountId, jobsInAccount);
  const pathOf = ({ id }: Job) => `/dashboard/jobs/${id}`;
  const pages = {
    "/": "/",
    "/docs": "/docs",
    "/docs/webhooks": "/docs/webhooks",
    "/docs/image/watermark-text": "/docs/image/watermark-text",
    "/sign-in": "/sign-in",
    "/dashboard": "/dashboard",
    "/dashboard/jobs": "/dashboard/jobs",
    "a job with an image": pathOf(image),
    "a job with a PDF": pathOf(document),
    "/dashboard/playground": "/dashboard/playground",
    "/dashboard/requests": "/dashboard/requests",
    "/dashboard/usage": "/dashboard/usage",
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
    const last = desktop.at(-1);
    if (!last) throw new Error("no round was measured");
    loads.push({
      page: name,
      lcps: desktop.map(({ lcpMs }) => lcpMs),
      phoneLcps: onPhone.map(({ lcpMs }) => lcpMs),
      cls: Math.max(...[...desktop, ...onPhone].map(({ cls }) => cls)),
      bytes: last.bytes,
    });
  }

  const times = [];
  for (const interaction of createInteractions({ imageJob: pathOf(image) })) {
    const taken = [];
    for (let round = 0; round <= rounds; round++) {
      const time = await withPage(interaction.path, (page) =>
        measureInteraction(page, interaction),
      );
      if (round > 0) taken.push(time);
    }
    times.push({ interaction: interaction.name, taken });
  }

  return [
    ...loads.flatMap(({ page, lcps, phoneLcps, cls, bytes }) => [
      makeRow(page, "largest contentful paint", "ms", lcps, { target: lcpTarget }),
      makeRow(page, "the same, on a phone", "ms", phoneLcps),
      makeRow(page, "largest layout shift", "CLS", cls),
      makeRow(page, "transferred", "kB", sumBytes(bytes, resourceKinds) / 1000),
      makeRow(page, "transferred scripts", "kB", sumBytes(bytes, ["js"]) / 1000),
    ]),
    ...times.flatMap(({ interaction, taken }) => [
      makeRow(
        interaction,
        "to the next paint",
        "ms",
        taken.map(({ paintMs }) => paintMs),
        { target: paintTarget },
      ),
      makeRow(
        interaction,
        "until it is visible",
        "ms",
        taken.map(({ seenMs }) => seenMs),
      ),
    ]),
  ];

  async function withPage<Result>(path: string, work: (page: Page) => Promise<Result>) {
    const context = await openContext(browser, running.service.url);
    if (path.startsWith("/dashboard")) await signInTo(context, running.service.url, busy);
    const result = await work(await context.newPage());
    await context.close();
    return result;
  }
}

function sumBytes(
  bytes: Readonly<Record<ResourceKind, number>>,
  kinds: readonly ResourceKind[],
): number {
  return kinds.reduce((sum, kind) => sum + bytes[kind], 0);
}

async function openContext(from: Browser, baseURL: string): Promise<BrowserContext> {
  const context = await from.newContext({ baseURL });
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
