import type { Page } from "@playwright/test";
import { runAdmin } from "#tests/service/run-admin.ts";
import { createTestAccount, expect, signIn, test } from "./support/fixtures.ts";
import { waitForHydration } from "./support/hydration.ts";
import { openSearch } from "./support/search.ts";

const sections = ["", "/queue", "/runners", "/operations", "/storage", "/acts"];

/** The page fits both widths. `accessible.spec.ts` runs axe on all pages. */
async function expectFits(page: Page, path: string): Promise<void> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const size = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return { scrollWidth, clientWidth };
    });
    expect(size.scrollWidth, `${path} at ${width}`).toBeLessThanOrEqual(size.clientWidth);
  }
}

/** Each act on another account asks the operator who they are. */
async function confirmIdentity(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await expect(dialog.getByLabel("Your password")).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
}

test("an operator changes, suspends and restores an account; for others the console does not exist", async ({
  signedIn: page,
  account,
  service,
  browser,
  api,
}) => {
  const failed = await api.postJson("/v1/image/resize", { input: `${service.url}/x`, width: 10 });
  expect(failed.status).toBe(202);
  for (const section of sections) {
    const response = await page.request.get(`/dashboard/operator${section}`);
    expect(response.status(), section).toBe(404);
  }
  await page.goto("/dashboard/operator/storage");
  await expect(page.getByText("Page not found")).toBeVisible();
  await expect(page.getByText("DATABASE_URL")).toBeHidden();
  await expect(page.getByRole("link", { name: "Operator" })).toBeHidden();

  const boss = await createTestAccount();
  await runAdmin(
    service.dataDir,
    "account",
    "set-role",
    "--email",
    boss.email,
    "--role",
    "operator",
  );
  const context = await browser.newContext({ baseURL: service.url, colorScheme: "dark" });
  await signIn(context, boss);
  const console = await context.newPage();
  waitForHydration(console);
  // Tables have cards for narrow pages, of which one is hidden.
  const shown = (text: string) => console.getByText(text).filter({ visible: true }).first();
  for (const section of sections) {
    await console.goto(`/dashboard/operator${section}`);
    await expect(console.getByRole("heading", { level: 1 })).toBeVisible();
    await expectFits(console, section);
  }
  await expect(shown("account.set_role")).toBeVisible();
  await (await openSearch(console)).fill("runners");
  await console.getByRole("option", { name: /^Runners/ }).click();
  await expect(console.getByRole("heading", { level: 1, name: "Runners" })).toBeVisible();
  await console.goto("/dashboard/operator/storage");
  await expect(console.getByRole("row", { name: "DATABASE_URL" })).toContainText(/•••|Not set/);

  await console.setViewportSize({ width: 1440, height: 900 });
  await console.goto(`/dashboard/operator?search=${account.email}`);
  await console.getByRole("link", { name: account.email }).first().click();
  await console.getByLabel("New plan").selectOption("business");
  const sent = console.waitForRequest((request) => "next-action" in request.headers());
  await console.getByRole("button", { name: "Change plan" }).click();
  const dialog = console.getByRole("dialog", { name: "Confirm that it is you" });
  await expect(dialog.getByLabel("Your password")).toBeFocused();
  await console.keyboard.press("Escape");
  await expect(console.getByRole("button", { name: "Change plan" })).toBeFocused();
  await expect(console.getByText("Not done yet.")).toBeVisible();
  await console.getByLabel("New plan").selectOption("business");
  await console.getByRole("button", { name: "Change plan" }).click();
  await confirmIdentity(console, boss.password);
  await expect(console.getByText("The plan is now business.")).toBeVisible();
  await expect(shown("plan pro → plan business")).toBeVisible();
  await expectFits(console, "account");
  await console.setViewportSize({ width: 1440, height: 900 });

  // The same request, as the account itself: the action checks the role, not only its page.
  const request = await sent;
  const data = request.postDataBuffer()?.toString("latin1").replaceAll("business", "enterprise");
  for (const path of [request.url(), "/dashboard/settings"]) {
    const { "next-action": action = "", "content-type": type = "" } = request.headers();
    const forged = await page.request.post(path, {
      headers: { "next-action": action, "content-type": type, origin: service.url },
      data: Buffer.from(data ?? "", "latin1"),
    });
    // Next.js forwards an action of another page and keeps 200, but the action ends with the same 404.
    expect(await forged.text(), path).toContain("NEXT_HTTP_ERROR_FALLBACK;404");
    expect(forged.status(), path).toBe(path === request.url() ? 404 : 200);
  }
  expect(await (await api.request("/v1/account")).json()).toMatchObject({ plan: "business" });

  await console.getByText("Suspend this account…").click();
  await console.getByRole("button", { name: `Suspend ${account.email}` }).click();
  await confirmIdentity(console, boss.password);
  await expect(console.getByRole("button", { name: "Restore account" })).toBeVisible();
  const refused = await api.request("/v1/account");
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain("This account is suspended.");
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/sign-in/);
  await console.getByRole("button", { name: "Restore account" }).click();
  await confirmIdentity(console, boss.password);
  await expect(shown("account.restore")).toBeVisible();
  expect((await api.request("/v1/account")).status).toBe(200);
  await context.close();
});

test("the status page says what is known, never that an engine works without a recent check", async ({
  page,
}) => {
  const report = await (await page.request.get("/status.json")).json();
  expect(report).toMatchObject({ state: "no_recent_check", checks: "off", incidents: [] });
  expect(report.engines.map(({ engine }: { engine: string }) => engine)).toEqual([
    "image",
    "ffmpeg",
    "chromium",
    "libreoffice",
    "pdf",
  ]);
  await page.goto("/status");
  await expect(page.getByText("No recent check")).toHaveCount(6);
  await expect(page.getByText("Operational", { exact: true })).toBeHidden();
  await expect(page.getByRole("img", { name: /^Last 90 days: No checks/ })).toHaveCount(5);
  await expectFits(page, "/status");
  const link = page.getByRole("contentinfo").getByRole("link", { name: "Status" });
  await expect(link).toHaveAttribute("href", "/status");
  expect(await (await page.request.get("/sitemap.xml")).text()).toContain("/status</loc>");
});
