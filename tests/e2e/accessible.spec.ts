import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { makeScene, type Scene } from "#tests/screenshots/accounts.ts";
import { pagePatterns, planVisits, type Viewer, type Visit } from "#tests/screenshots/pages.ts";
import { samplesOf } from "#tests/screenshots/samples.ts";
import { signInTo } from "#tests/service/sign-in.ts";
import { expect, expectAccessible, test } from "./support/fixtures.ts";
import { runningService } from "./support/running-service.ts";

// One worker, so that the scene is made once.
test.describe.configure({ mode: "default" });

let scene: Scene;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  scene = await makeScene(runningService(), `${randomBytes(5).toString("hex")}.example`);
});

const viewers: readonly Viewer[] = ["nobody", "busy", "fresh", "spare", "first"];

for (const viewer of viewers) {
  test(`axe finds nothing serious on any page or state of ${viewer}, light or dark`, async ({
    page,
    context,
    service,
  }) => {
    test.setTimeout(300_000);
    const { busy, fresh, spare } = scene;
    const login = { nobody: undefined, busy, fresh, spare, first: service.firstAccount }[viewer];
    if (login) await signInTo(context, service.url, login);
    const visits = planVisits(pagePatterns(), samplesOf(scene));
    for (const visit of visits.filter((one) => one.viewer === viewer && !one.fails)) {
      await expectAccessibleInBoth(page, visit);
    }
  });
}

test("axe finds nothing serious on pages that failed", async ({ browser, service }) => {
  // Not the watched one: here scripts throw.
  const context = await browser.newContext({ baseURL: service.url });
  await signInTo(context, service.url, scene.busy);
  for (const visit of planVisits(pagePatterns(), samplesOf(scene)).filter(({ fails }) => fails)) {
    const page = await context.newPage();
    await expectAccessibleInBoth(page, visit);
    await expect(page.getByText("This page could not be loaded").first()).toBeVisible();
  }
  await context.close();
});

/** Kinds of pages, such as that of a job, that were seen in the dark: those of a kind have the same parts. */
const seenInTheDark = new Set<string>();

/** All rules in light colours; in dark ones those that colours matter to. */
async function expectAccessibleInBoth(page: Page, { path, act }: Visit): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(path);
  await act?.(page);
  await expectAccessible(page);
  const kind = /^\/[^/]+\/./.test(path) && !act ? path.replace(/[^/]+$/, "*") : undefined;
  if (kind && seenInTheDark.has(kind)) return;
  if (kind) seenInTheDark.add(kind);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page, ["color-contrast", "link-in-text-block"]);
}
