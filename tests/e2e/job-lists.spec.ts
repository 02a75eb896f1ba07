import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "./support/fixtures.ts";
import { openSearch } from "./support/search.ts";

const photo = join(import.meta.dirname, "../../public/samples/inputs/photo.jpg");
const text = { bytes: "some text", filename: "notes.txt" };
const damaged = { bytes: Buffer.from("ffd8ffe000104a464946", "hex"), filename: "damaged.jpg" };

const rows = (page: Page) => page.getByRole("table").getByRole("row");

test.use({ plan: "enterprise" });

test("jobs are searched by file name, error, key and metadata; views and columns are kept; lists are exported", async ({
  signedIn: page,
  api,
}) => {
  const metadata = JSON.stringify({ order: "10=42" });
  const job = await api.run("pipeline/file-inspect", text, { metadata });
  await api.run("image/sharpen", damaged);
  const prefetched: string[] = [];
  page.on("request", (request) => {
    if (request.headers()["next-router-prefetch"]) prefetched.push(request.url());
  });
  await page.goto("/dashboard/jobs");
  await expect(rows(page)).toHaveCount(1 + 2);
  // One field searches file names, metadata and errors.
  for (const [text, found] of [
    ["DAMAGED", "damaged.jpg"],
    ["10=42", "notes.txt"],
    ["is damaged", "damaged.jpg"],
  ] as const) {
    await page.getByLabel("Search", { exact: true }).fill(text);
    await expect(rows(page)).toHaveCount(1 + 1);
    await expect(rows(page).last()).toContainText(found);
  }
  // By now the page's scripts have run. Pages are fetched on hover or focus, and not before.
  expect(prefetched).toEqual([]);
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(rows(page)).toHaveCount(1 + 2);
  await page.getByRole("button", { name: "Operation" }).click();
  await page.getByPlaceholder("Search operations…").fill("sharpen");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/operation=image%2Fsharpen/);
  await expect(rows(page)).toHaveCount(1 + 1);
  await page.getByRole("button", { name: "Any operation" }).click();
  await expect(rows(page)).toHaveCount(1 + 2);
  await page.getByText("More filters").click();
  await page.getByLabel("API key").selectOption("First key");
  await expect(page).toHaveURL(/key=key_/);
  await expect(rows(page)).toHaveCount(1 + 2);
  await page.getByLabel("Metadata").fill("order=10=42");
  await expect(rows(page)).toHaveCount(1 + 1);
  await expect(rows(page).last()).toContainText("notes.txt");
  await page.goto("/dashboard/jobs?error_code=corrupt");
  await expect(rows(page)).toHaveCount(1 + 1);
  await expect(page.getByLabel("Error")).toHaveValue("corrupt");

  await page.getByRole("button", { name: "Save view" }).click();
  await expectAccessible(page);
  await page.getByLabel("Name", { exact: true }).fill("Damaged files");
  await page.getByRole("dialog").getByRole("button", { name: "Save view" }).click();
  const view = page.getByRole("link", { name: "Damaged files" });
  await expect(view).toHaveAttribute("aria-current", "true");
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "Error" }).check();
  // Before the first change is shown.
  await page.getByRole("checkbox", { name: "Started" }).check();
  await page.keyboard.press("Escape");
  await expect(rows(page).first()).toContainText("Error");
  await expect(rows(page).first()).toContainText("Started");
  await expect(rows(page).last()).toContainText("corrupt");

  const csv = await page.request.get(
    (await page.getByRole("link", { name: "CSV" }).getAttribute("href")) ?? "",
  );
  expect(csv.headers()["content-disposition"]).toMatch(/^attachment; filename="jobs-.*\.csv"$/);
  const lines = (await csv.text()).trim().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain("damaged.jpg");
  const json = await page.request.get(
    "/dashboard/api/jobs/export?format=json&metadata=order%3D10%3D42",
  );
  expect(await json.json()).toMatchObject([{ id: job.id, metadata: { order: "10=42" } }]);
  expect((await page.request.get("/dashboard/api/jobs/export?format=xml")).status()).toBe(400);

  await page.goto("/dashboard/jobs");
  await expect(rows(page)).toHaveCount(1 + 2);
  await view.click();
  await expect(rows(page)).toHaveCount(1 + 1);
  await page.getByRole("button", { name: "Delete view Damaged files" }).click();
  await expect(view).toBeHidden();
});

test("several jobs are selected, downloaded as one ZIP, retried and deleted", async ({
  signedIn: page,
  api,
}) => {
  const file = { bytes: await readFile(photo), filename: "photo.jpg" };
  const jobs = [await api.run("image/sharpen", file), await api.run("image/sharpen", file)];
  await api.run("image/sharpen", damaged);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto("/dashboard/jobs");
  const bar = page.getByRole("region", { name: "Selected jobs" });
  const checkbox = (id = "") => page.getByRole("checkbox", { name: id });
  await checkbox(jobs[0]?.id).check();
  await bar.getByRole("button", { name: "Select all on this page" }).click();
  await expect(bar).toContainText("3 jobs selected");
  await expectAccessible(page);
  const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(pageWidth).toBeLessThanOrEqual(390);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    bar.getByRole("link", { name: "Download ZIP" }).click(),
  ]);
  const zip = (await readFile(await download.path())).toString("latin1");
  for (const job of jobs) expect(zip).toContain(`${job.id}/`);

  await page.setViewportSize({ width: 1440, height: 900 });
  await bar.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("3 jobs retried")).toBeVisible();
  await expect(rows(page)).toHaveCount(1 + 6);
  await expect(bar).toBeHidden();
  await page.getByRole("checkbox", { name: "Select all jobs on this page" }).check();
  await expect(bar).toContainText("6 jobs selected");
  await page.getByRole("checkbox", { name: "Select all jobs on this page" }).uncheck();
  // With Shift, the rows between are selected too.
  const boxes = page.getByRole("checkbox", { name: "Select image/sharpen" });
  await boxes.nth(0).check();
  await boxes.nth(3).click({ modifiers: ["Shift"] });
  await expect(bar).toContainText("4 jobs selected");
  for (const index of [0, 1, 2, 3]) await boxes.nth(index).uncheck();
  for (const job of jobs) await checkbox(job.id).check();
  await bar.getByRole("button", { name: "Delete files" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("Delete the files of 2 jobs?");
  await dialog.getByRole("button", { name: "Delete files" }).click();
  await expect(page.getByText("Files of 2 jobs deleted")).toBeVisible();
  expect((await api.request(`/v1/jobs/${jobs[0]?.id}/output`)).status).toBe(410);
  const none = await page.request.get(`/dashboard/api/jobs/archive?job=${jobs[0]?.id}`);
  expect(none.status()).toBe(409);
});

test("the keyboard moves through lists and pages, and the search runs actions", async ({
  signedIn: page,
  api,
}) => {
  const jobs = [];
  for (let count = 0; count < 2; count++) jobs.push(await api.run("pipeline/file-inspect", text));
  await page.goto("/dashboard");
  await page.keyboard.press("g");
  await page.keyboard.press("j");
  await expect(page).toHaveURL("/dashboard/jobs");
  await expect(rows(page)).toHaveCount(1 + 2);
  for (const key of ["j", "j", "x"]) await page.keyboard.press(key);
  await expect(page.getByRole("region", { name: "Selected jobs" })).toContainText("1 job selected");
  await expect(page.getByRole("checkbox", { name: jobs[0]?.id ?? "" })).toBeChecked();
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`${jobs[1]?.id}$`));
  await expect(page.getByRole("button", { name: "Run again" })).toBeVisible();

  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Retry the job");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await (await openSearch(page)).fill("run this job again");
  await expect(dialog.getByRole("option").first()).toContainText("Run this job again");
  await page.keyboard.press("Enter");
  await expect(page).not.toHaveURL(new RegExp(`${jobs[1]?.id}$`));
  await expect(dialog).toBeHidden();
  await (await openSearch(page)).fill("run image/resize");
  await dialog.getByRole("option", { name: "Run image/resize" }).click();
  await expect(page).toHaveURL("/dashboard/playground?operation=image/resize");
  await page.goto("/dashboard/jobs");
  await page.keyboard.press("/");
  await expect(page.getByLabel("Search", { exact: true })).toBeFocused();
  await page.keyboard.type("job_gj");
  await expect(page).toHaveURL(/q=job_gj/);
});
