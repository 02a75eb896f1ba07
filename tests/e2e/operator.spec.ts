import type { Page } from "@playwright/test";
import { runAdmin } from "#tests/service/run-admin.ts";
import { createTestAccount, expect, expectAccessible, signIn, test } from "./support/fixtures.ts";

const sections = ["", "/queue", "/runners", "/operations", "/storage", "/acts"];

/** The page fits its width and has no serious finding of axe. */
async function expectGood(page: Page, path: string): Promise<void> {
  const [width, viewport] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(width, path).toBeLessThanOrEqual(viewport ?? 0);
  await expectAccessible(page);
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
  for (const width of [1440, 390]) {
    await console.setViewportSize({ width, height: 900 });
    for (const section of sections) {
      await console.goto(`/dashboard/operator${section}`);
      await expect(console.getByRole("heading", { level: 1 })).toBeVisible();
      await expectGood(console, section);
    }
  }
  await expect(console.getByText("account.set_role").first()).toBeVisible();
  await console.goto("/dashboard/operator/storage");
  await expect(console.getByRole("row", { name: "DATABASE_URL" })).toContainText(/•••|Not set/);

  await console.setViewportSize({ width: 1440, height: 900 });
  await console.goto(`/dashboard/operator?search=${account.email}`);
  await console.getByRole("link", { name: account.email }).first().click();
  await console.getByLabel("New plan").selectOption("business");
  const sent = console.waitForRequest((request) => "next-action" in request.headers());
  await console.getByRole("button", { name: "Change plan" }).click();
  await expect(console.getByText("The plan is now business.")).toBeVisible();
  await expect(console.getByText("plan pro → plan business").first()).toBeVisible();
  await expectGood(console, "account");

  // The same request, as the account itself: the action checks the role, not only its page.
  const request = await sent;
  const data = request.postDataBuffer()?.toString("latin1").replaceAll("business", "enterprise");
  for (const path of [request.url(), "/dashboard/settings"]) {
    const { "next-action": action = "", "content-type": type = "" } = request.headers();
    const forged = await page.request.post(path, {
      headers: { "next-action": action, "content-type": type, origin: service.url },
      data: Buffer.from(data ?? "", "latin1"),
    });
    expect(forged.status(), path).toBe(404);
  }
  expect(await (await api.request("/v1/account")).json()).toMatchObject({ plan: "business" });

  await console.getByText("Suspend this account…").click();
  await console.getByRole("button", { name: `Suspend ${account.email}` }).click();
  await expect(console.getByRole("button", { name: "Restore account" })).toBeVisible();
  const refused = await api.request("/v1/account");
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain("This account is suspended.");
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/sign-in/);
  await console.getByRole("button", { name: "Restore account" }).click();
  await expect(console.getByText("account.restore")).toBeVisible();
  expect((await api.request("/v1/account")).status).toBe(200);
  await context.close();
});

test("the status page says what is known, never that an engine works without a recent check", async ({
  page,
}) => {
  const report = await (await page.request.get("/status.json")).json();
  expect(report).toMatchObject({ state: "no_recent_check", checks: "off", incidents: [] });
  expect(report.engines.map(({ engine }: { engine: string }) => engine)).toEqual([
    ...["image", "ffmpeg", "chromium", "libreoffice", "pdf"],
  ]);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/status");
    await expect(page.getByText("No recent check")).toHaveCount(6);
    await expect(page.getByText("Operational", { exact: true })).toBeHidden();
    await expect(page.getByRole("img", { name: /^Last 90 days: No checks/ })).toHaveCount(5);
    await expectGood(page, "/status");
  }
  const link = page.getByRole("contentinfo").getByRole("link", { name: "Status" });
  await expect(link).toHaveAttribute("href", "/status");
  expect(await (await page.request.get("/sitemap.xml")).text()).toContain("/status</loc>");
});
