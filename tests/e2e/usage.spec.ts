import postgres from "postgres";
import { periodOf } from "#lib/quotas/period.ts";
import { findRunningDatabase } from "#lib/supervisor/database/running-database.ts";
import { expect, expectAccessible, test } from "./support/fixtures.ts";

test("usage: totals, a chart and tables that lead to jobs, other ranges, CSV and the alert", async ({
  signedIn: page,
  account,
  api,
  service,
}) => {
  await page.goto("/dashboard/usage");
  await expect(page.getByText("No jobs in these days")).toBeVisible();
  await api.run("pipeline/file-inspect", { bytes: "some text", filename: "a.txt" });
  await api.runUrl("image/sharpen", "http://10.0.0.1/");
  const url = await findRunningDatabase(service.dataDir);
  const sql = postgres(url ?? "", { max: 1 });
  const period = periodOf(new Date());
  // As after 12.6 GB of other jobs, and a sweep.
  await sql`update usage set used_bytes = ${12.6e9} where account_id = ${account.id}`;
  await sql`insert into usage_alerts (account_id, period, threshold, mail) values (${account.id}, ${period}, 50, 'none')`;
  await sql.end();

  await page.goto("/dashboard");
  const alert = page.getByRole("region", { name: "Usage alert" });
  await expect(alert).toContainText("50% of your plan's data");
  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await expect(page.getByRole("heading", { level: 1, name: "Usage" })).toBeVisible();
  await expect(page.getByText("12.6 GB").first()).toBeVisible();
  await expectAccessible(page);
  await alert.getByRole("button", { name: "Dismiss the usage alert" }).click();
  await expect(alert).toBeHidden();
  await page.reload();
  await expect(page.getByRole("region", { name: "Usage by operation" })).toBeVisible();
  await expect(alert).toBeHidden();

  await page.getByRole("link", { name: "This month" }).click();
  await expect(page).toHaveURL(/range=month/);
  const today = new Date().toISOString().slice(0, 10);
  await page.getByLabel("From (UTC)").fill(today);
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page).toHaveURL(new RegExp(`from=${today}&to=${today}`));
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: /^CSV.*usage by operation$/ }).click();
  expect((await download).suggestedFilename()).toBe(`usage-by-operation-${today}-to-${today}.csv`);

  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
  await page.getByText("Show as a table").click();
  await expect(page.getByRole("region", { name: "Usage by day" })).toBeVisible();
  await page.getByRole("link", { name: "address_refused" }).click();
  await expect(page).toHaveURL(/\/dashboard\/jobs\?error_code=address_refused/);
  await expect(page.getByRole("link", { name: "image/sharpen" }).first()).toBeVisible();

  await page.goto("/dashboard/settings");
  await page.getByLabel("75%").uncheck();
  await page.getByRole("button", { name: "Save alerts" }).click();
  await expect(page.getByText("Alerts saved.")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("75%")).not.toBeChecked();
  await expect(page.getByLabel("90%")).toBeChecked();
});
