import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium } from "@playwright/test";
import { signInTo } from "#tests/service/http/sign-in.ts";
import { startService } from "#tests/service/service.ts";
import { launchOptions } from "#tests/support/chromium.ts";
import { createSampleData, type Login } from "./accounts.ts";
import { listPagePatterns, planVisits, type Viewer, type Visit } from "./pages.ts";
import { createPageSamples } from "./samples.ts";

/** Takes a screenshot of every page, light and dark, in the width of a phone and of a desktop. */

const [folder = "", ...words] = process.argv.slice(2);
const schemes = ["light", "dark"] as const;
/** The sizes of the window in pixels. */
const sizes = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

const running = await startService();
const browser = await chromium.launch(launchOptions);
try {
  await mkdir(folder, { recursive: true });
  const data = await createSampleData(running);
  const { firstAccount } = running.service;
  const { busy, fresh, spare, operator } = data;
  const logins = { visitor: undefined, busy, fresh, spare, operator, first: firstAccount };
  const visits = planVisits(listPagePatterns(), createPageSamples(data)).filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  for (const viewport of sizes) {
    const both = schemes.map(async (colorScheme) => {
      const contexts = new Map<Viewer, BrowserContext>();
      for (const visit of visits) {
        const context =
          contexts.get(visit.viewer) ??
          (await openContext(browser, { colorScheme, viewport }, logins[visit.viewer]));
        contexts.set(visit.viewer, context);
        await takeScreenshot(context, visit, `${visit.name}-${colorScheme}-${viewport.width}`);
      }
      for (const context of contexts.values()) await context.close();
    });
    await Promise.all(both);
  }
} finally {
  await browser.close();
  await running.stop();
}

async function openContext(
  browser: Browser,
  options: Parameters<Browser["newContext"]>[0],
  login: Login | undefined,
): Promise<BrowserContext> {
  const baseURL = running.service.url;
  const isMobile = options?.viewport ? options.viewport.width < 600 : false;
  const context = await browser.newContext({ ...options, isMobile, hasTouch: isMobile, baseURL });
  if (login) await signInTo(context, running.service.url, login);
  return context;
}

async function takeScreenshot(context: BrowserContext, visit: Visit, name: string): Promise<void> {
  const page = await context.newPage();
  const problems: string[] = [];
  if (!visit.fails) page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(visit.path);
  await page.evaluate(() => document.fonts.ready);
  // Scrolls through the page, because images and previews load when they come into view.
  await page.evaluate(async () => {
    for (let top = 0; top < document.body.scrollHeight; top += innerHeight) {
      scrollTo({ top, behavior: "instant" });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    scrollTo({ top: 0, behavior: "instant" });
  });
  // Skeletons pulse while something loads.
  const loaded = page.waitForFunction(() => !document.querySelector(".animate-pulse"));
  await loaded.catch((error) => problems.push(String(error)));
  await page.waitForTimeout(300);
  if (visit.act) {
    await visit.act(page).catch((error) => problems.push(String(error)));
    await page.waitForTimeout(500);
  }
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (overflow > 0) problems.push(`${overflow} px wider than the window`);
  await page.screenshot({
    path: join(folder, `${name}.png`),
    fullPage: !visit.windowOnly,
    animations: "disabled",
  });
  await page.close();
  process.stdout.write(`${name}.png${problems.map((problem) => `   ! ${problem}`).join("")}\n`);
}
