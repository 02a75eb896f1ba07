import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { createTestAccount, expect, expectAccessible, signIn, test } from "./support/fixtures.ts";

const text = { bytes: "some text", filename: "notes.txt", contentType: "text/plain" };
const runInShell = (line: string) => promisify(execFile)("sh", ["-c", line]);
const recent = (page: Page) => page.getByRole("table").last();

test("a new account's first steps are marked as done automatically", async ({
  signedIn: page,
  api,
}) => {
  await page.goto("/dashboard");
  await expectAccessible(page);
  const steps = page.getByRole("listitem").filter({ has: page.getByRole("heading", { level: 3 }) });
  await expect(steps.nth(0)).toContainText("(done)");
  await expect(steps.nth(1)).not.toContainText("(done)");
  await page.getByRole("button", { name: "Create another key" }).click();
  await expect(steps.nth(1)).toContainText(/mm_test_\w{36}/);
  const { id } = await api.run("pipeline/file-inspect", text);
  await expect(steps.nth(1)).toContainText("(done)");
  await expect(steps.nth(2)).toContainText("Completed");
  await expect(steps.nth(2).getByRole("link", { name: "Open job" })).toHaveAttribute(
    "href",
    `/dashboard/jobs/${id}`,
  );
  await expect(steps.nth(2).getByRole("region", { name: "Result" })).toContainText('type "txt"');
});

test("the first steps stay until they are dismissed, with calls that contain the key", async ({
  signedIn: page,
  api,
}) => {
  await page.goto("/dashboard");
  const steps = page.getByRole("heading", { name: "Create an API key" });
  await page.getByRole("button", { name: "Create another key" }).click();
  const key = await page.getByText(/^mm_test_\w{36}$/).innerText();
  await api.run("pipeline/file-inspect", text);
  // The totals are refreshed after the job: the key is still there.
  await expect(page.getByText("100%", { exact: true })).toBeVisible();
  await expect(page.getByText(key, { exact: true })).toBeVisible();
  for (const title of ["Resize an image", "Convert audio", "Run a chain"]) {
    await page.getByRole("tab", { name: title }).click();
    const command = await page.getByRole("tabpanel").locator("code").innerText();
    expect(command).toContain(key);
    const { stdout } = await runInShell(command);
    expect(JSON.parse(stdout), title).toMatchObject({ status: "completed" });
  }
  await expectAccessible(page);
  await page.getByRole("link", { name: "View all jobs" }).click();
  await expect(page).toHaveURL("/dashboard/jobs");
  await page.goBack();
  await expect(page.getByText(key, { exact: true })).toBeVisible();
  await page.reload();
  await expect(steps).toBeVisible();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(steps).toBeHidden();
  await expect
    .poll(async () => {
      await page.reload();
      return steps.isVisible();
    })
    .toBe(false);
});

test("jobs and totals are updated without a reload", async ({ signedIn: page, api }) => {
  await api.run("pipeline/file-inspect", text);
  await page.goto("/dashboard");
  const table = recent(page);
  await expect(table.getByRole("row")).toHaveCount(2);
  await page.evaluate(() => Reflect.set(window, "sameDocument", true));
  await api.runUrl("pipeline/file-inspect", "http://10.0.0.1/secret.png");
  await expect(table.getByRole("row")).toHaveCount(3);
  await expect(table.getByRole("row").nth(1)).toContainText("Failed");
  await expect(page.getByText("50%")).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, "sameDocument"))).toBe(true);
  await expectAccessible(page);
});

test("the median, the row and the job's page show the same duration", async ({
  signedIn: page,
  api,
}) => {
  const { id } = await api.run("pipeline/file-inspect", text);
  await page.goto("/dashboard");
  const median = page.locator("dl > div").filter({ hasText: "Median duration" }).locator("dd");
  const duration = await median.innerText();
  expect(duration).toMatch(/^[\d.]+ m?s$/);
  await expect(recent(page).getByRole("row").nth(1).getByRole("cell").last()).toHaveText(duration);
  await page.goto("/dashboard/jobs");
  await expect(recent(page).getByRole("row").nth(1).getByRole("cell").last()).toHaveText(duration);
  await page.goto(`/dashboard/jobs/${id}`);
  await expect(page.getByText("Completed after").locator("..")).toContainText(duration);
});

test("the charts show each day's numbers to keyboard and screen reader users", async ({
  signedIn: page,
  api,
}) => {
  await api.run("pipeline/file-inspect", text);
  await page.goto("/dashboard");
  const chart = page.getByRole("slider", { name: "Jobs per day: select a day" });
  await expect(chart).toHaveAttribute("aria-valuetext", /Completed 1, Failed 0/);
  await chart.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(chart).toHaveAttribute("aria-valuetext", /Completed 0/);
  await page.keyboard.press("End");
  await expect(chart).toHaveAttribute("aria-valuetext", /Completed 1/);
  await expect(page.getByRole("table", { name: "Jobs per day" }).getByRole("row")).toHaveCount(31);
});

test("jobs of other accounts do not appear", async ({ signedIn: page, browser }) => {
  await page.goto("/dashboard");
  const other = await createTestAccount();
  await other.api.run("pipeline/file-inspect", { ...text, filename: "private.txt" });
  const otherContext = await browser.newContext();
  await signIn(otherContext, other);
  const otherPage = await otherContext.newPage();
  await otherPage.goto("/dashboard");
  await expect(otherPage.getByText("private.txt")).toBeVisible();
  await otherContext.close();
  await expect(page.getByText("private.txt")).toHaveCount(0);
});

test("the live channel requires a session", async ({ page }) => {
  const response = await page.request.get("/dashboard/api/events", { maxRedirects: 0 });
  expect(response.status()).toBe(401);
});

test.describe("on the free plan", () => {
  test.use({ plan: "free" });

  test("usage is compared with the plan", async ({ signedIn: page, api }) => {
    await api.run("pipeline/file-inspect", { ...text, bytes: "x".repeat(1_500_000) });
    await page.goto("/dashboard");
    const meter = page.getByRole("progressbar", { name: "Usage this month" });
    await expect(meter).toHaveAttribute("aria-valuetext", "1.5 MB of 1 GB");
    // A new account's first day says nothing about a month.
    await expect(
      page.getByText("The input bytes of completed jobs, and of images by URL, this month."),
    ).toBeVisible();
  });
});
