import { randomBytes } from "node:crypto";
import { devices, type Page } from "@playwright/test";
import { guideHref, guideSlugs } from "#components/docs/guides.ts";
import { operationGroups } from "#lib/operations/define.ts";
import { createSampleData, type SampleData } from "#tests/screenshots/accounts.ts";
import { listPagePatterns, planVisits, type Viewer, type Visit } from "#tests/screenshots/pages.ts";
import { createPageSamples } from "#tests/screenshots/samples.ts";
import { signInTo } from "#tests/service/http/sign-in.ts";
import { countScripts } from "./support/first-load.ts";
import { expect, expectAccessible, switchToDark, test } from "./support/fixtures.ts";
import { waitForHydration } from "./support/hydration.ts";
import { expectFits, narrowScreen } from "./support/narrow-screen.ts";
import { runningService } from "./support/running-service.ts";

// Each page is loaded once for all that is expected of it. One worker, so that the sample data is created only once.
test.describe.configure({ mode: "default" });

let sampleData: SampleData;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  sampleData = await createSampleData(
    runningService(),
    `${randomBytes(5).toString("hex")}.example`,
  );
});

const viewers: readonly Viewer[] = ["visitor", "busy", "fresh", "spare", "first", "operator"];

for (const viewer of viewers) {
  test(`axe finds nothing serious on the pages of ${viewer}, light or dark`, async ({
    page,
    context,
    service,
  }) => {
    test.setTimeout(900_000);
    const { busy, fresh, spare, operator } = sampleData;
    const { firstAccount: first } = service;
    const login = { visitor: undefined, busy, fresh, spare, first, operator }[viewer];
    if (login) await signInTo(context, service.url, login);
    const visits = planVisits(listPagePatterns(), createPageSamples(sampleData));
    const own = visits.filter((one) => one.viewer === viewer && !one.fails);
    let weighed = 0;
    for (const visit of own.filter(isTypical)) {
      const scripts = isWeighed(visit) ? await countScripts(page) : undefined;
      const status = await expectAccessibleInBoth(page, visit);
      await scripts?.expectFew();
      if (scripts) weighed++;
      if (!isDocs(visit)) continue;
      expect(status, visit.path).toBe(200);
      await expectFits(page);
    }
    const visited = new Set(own.filter(({ act }) => !act).map(({ path }) => path));
    expect(weighed).toBe(dashboardPatterns().filter((path) => visited.has(path)).length);
  });
}

test("every page of the dashboard that is not about one object is weighed by someone", () => {
  const visits = planVisits(listPagePatterns(), createPageSamples(sampleData));
  const weighed = visits.filter((one) => !one.fails && isTypical(one) && isWeighed(one));
  expect(new Set(weighed.map(({ path }) => path))).toEqual(new Set(dashboardPatterns()));
});

test("all guides and lists of operations load and fit a narrow screen", async ({ page }) => {
  test.setTimeout(600_000);
  await page.setViewportSize(narrowScreen);
  // The others have been narrow after axe has read them.
  const visits = planVisits(listPagePatterns(), createPageSamples(sampleData));
  for (const visit of visits.filter((one) => !isTypical(one))) {
    const response = await page.goto(visit.path);
    expect(response?.status(), visit.path).toBe(200);
    await expectFits(page);
  }
});

/**
 * Guides are made of the same elements, so a third of them stands for all, as does the first of the lists of
 * operations.
 */
function isTypical({ path, act }: Visit): boolean {
  const guide = guideSlugs.findIndex((slug) => path === guideHref(slug));
  const list = operationGroups.findIndex((group) => path === `/docs/${group}`);
  return act !== undefined || (list <= 0 && (guide < 0 || guide % 3 === 0));
}

/** Pages without a dialog over them that every visitor reads. */
function isDocs({ path, act }: Visit): boolean {
  return act === undefined && (path === "/" || path.startsWith("/docs"));
}

/** Pages of the dashboard that are not about one object. */
function dashboardPatterns(): string[] {
  return listPagePatterns().filter((path) => path.startsWith("/dashboard") && !path.includes("["));
}

function isWeighed({ path, act }: Visit): boolean {
  return act === undefined && dashboardPatterns().includes(path);
}

test("axe finds nothing serious on error pages", async ({ browser, service }) => {
  // Not the watched context, because scripts throw on these pages.
  const context = await browser.newContext({ baseURL: service.url });
  await signInTo(context, service.url, sampleData.busy);
  for (const visit of planVisits(listPagePatterns(), createPageSamples(sampleData)).filter(
    ({ fails }) => fails,
  )) {
    const page = await context.newPage();
    waitForHydration(page);
    await expectAccessibleInBoth(page, visit);
    await expect(page.getByText("This page could not be loaded").first()).toBeVisible();
  }
  await context.close();
});

/** Checks all rules in light mode, and the color rules in dark mode. Resolves with the status of the page. */
async function expectAccessibleInBoth(
  page: Page,
  { path, act }: Visit,
): Promise<number | undefined> {
  await page.setViewportSize(devices["Desktop Chrome"].viewport);
  await page.emulateMedia({ colorScheme: "light" });
  const response = await page.goto(path);
  await act?.(page);
  await expectAccessible(page);
  await switchToDark(page);
  await expectAccessible(page, "colors");
  return response?.status();
}
