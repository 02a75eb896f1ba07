import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium } from "@playwright/test";
import { startService } from "#tests/service/service.ts";
import { signInTo } from "#tests/service/sign-in.ts";
import { launchOptions } from "#tests/support/chromium.ts";
import { type Login, makeScene } from "./accounts.ts";
import { pagePatterns, planVisits, type Viewer, type Visit } from "./pages.ts";
import { samplesOf } from "./samples.ts";

/** A picture of every page, light and dark, of a phone's width and a desk's. */

const [folder = "", ...words] = process.argv.slice(2);
const schemes = ["light", "dark"] as const;
/** Pixels. */
const sizes = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

const running = await startService();
const browser = await chromium.launch(launchOptions);
try {
  await mkdir(folder, { recursive: true });
  const scene = await makeScene(running);
  const { firstAccount } = running.service;
  const { busy, fresh, spare } = scene;
  const logins = { nobody: undefined, busy, fresh, spare, first: firstAccount };
  const visits = planVisits(pagePatterns(), samplesOf(scene)).filter(
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
        await takePicture(context, visit, `${visit.name}-${colorScheme}-${viewport.width}`);
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
  look: Parameters<Browser["newContext"]>[0],
  login: Login | undefined,
): Promise<BrowserContext> {
  const baseURL = running.service.url;
  const isMobile = look?.viewport ? look.viewport.width < 600 : false;
  const context = await browser.newContext({ ...look, isMobile, hasTouch: isMobile, baseURL });
  if (login) await signInTo(context, running.service.url, login);
  return context;
}

async function takePicture(context: BrowserContext, visit: Visit, name: string): Promise<void> {
  const page = await context.newPage();
  const faults: string[] = [];
  if (!visit.fails) page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(visit.path);
  await page.evaluate(() => document.fonts.ready);
  // Pictures and previews that are loaded when they come into view.
  await page.evaluate(async () => {
    for (let top = 0; top < document.body.scrollHeight; top += innerHeight) {
      scrollTo({ top, behavior: "instant" });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    scrollTo({ top: 0, behavior: "instant" });
  });
  // Skeletons pulse for as long as something is loaded.
  const loaded = page.waitForFunction(() => !document.querySelector(".animate-pulse"));
  await loaded.catch((error) => faults.push(String(error)));
  await page.waitForTimeout(300);
  if (visit.act) {
    await visit.act(page).catch((error) => faults.push(String(error)));
    await page.waitForTimeout(500);
  }
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (overflow > 0) faults.push(`${overflow} px wider than the window`);
  await page.screenshot({
    path: join(folder, `${name}.png`),
    fullPage: !visit.windowOnly,
    animations: "disabled",
  });
  await page.close();
  process.stdout.write(`${name}.png${faults.map((fault) => `   ! ${fault}`).join("")}\n`);
}
