import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium } from "@playwright/test";
import { launchOptions } from "#tests/support/chromium.ts";
import { startService } from "#tests/support/service.ts";
import { signInTo } from "#tests/support/sign-in.ts";
import { type Login, makeScene } from "./accounts.ts";
import { pagePatterns, planVisits, type Viewer } from "./pages.ts";
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
  const logins = { nobody: undefined, busy: scene.busy, fresh: scene.fresh, first: firstAccount };
  const visits = planVisits(pagePatterns(), samplesOf(scene)).filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  for (const colorScheme of schemes) {
    for (const viewport of sizes) {
      const contexts = new Map<Viewer, BrowserContext>();
      for (const { name, path, viewer } of visits) {
        const context =
          contexts.get(viewer) ??
          (await openContext(browser, { colorScheme, viewport }, logins[viewer]));
        contexts.set(viewer, context);
        await takePicture(context, path, `${name}-${colorScheme}-${viewport.width}`);
      }
      for (const context of contexts.values()) await context.close();
    }
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
  const context = await browser.newContext({ ...look, baseURL: running.service.url });
  if (login) await signInTo(context, running.service.url, login);
  return context;
}

async function takePicture(context: BrowserContext, path: string, name: string): Promise<void> {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(path);
  await page.evaluate(() => document.fonts.ready);
  // Pictures and previews that are loaded when they come into view.
  await page.evaluate(async () => {
    for (let top = 0; top < document.body.scrollHeight; top += innerHeight) {
      scrollTo(0, top);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    scrollTo(0, 0);
  });
  await page.waitForTimeout(700);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (overflow > 0) faults.push(`${overflow} px wider than the window`);
  await page.screenshot({
    path: join(folder, `${name}.png`),
    fullPage: true,
    animations: "disabled",
  });
  await page.close();
  process.stdout.write(`${name}.png${faults.map((fault) => `   ! ${fault}`).join("")}\n`);
}
