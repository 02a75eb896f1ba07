import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "./support/fixtures.ts";

const photo = join(import.meta.dirname, "../../public/samples/inputs/photo.jpg");

test("a rejected request appears, explains itself, and is corrected in the playground", async ({
  signedIn: page,
  api,
}) => {
  await page.goto("/dashboard/requests");
  await expect(page.getByText("No requests yet")).toBeVisible();
  await expect(page.getByText("/v1/usage")).toBeVisible();

  const file = { bytes: await readFile(photo), filename: "photo.jpg" };
  const fields = { file, width: "-5", fit: "cover" };
  const rejected = await api.postForm("/v1/image/resize", fields);
  expect(rejected.status).toBe(400);
  const encrypt = { input: "https://example.com/a.pdf?sig=hunter2", password: "hunter2", no: 1 };
  const unknown = await api.postJson("/v1/document/protect-pdf", encrypt);
  expect(unknown.status).toBe(400);
  // The page follows by itself.
  const rows = page.getByRole("table").getByRole("row");
  await expect(rows).toHaveCount(1 + 2);
  await expect(rows.nth(2)).toContainText(/400\s*invalid_parameter/);
  await expect(rows.nth(2)).toContainText("127.0.0.1");

  await page.goto(`/dashboard/requests/${unknown.headers.get("x-request-id")}`);
  await expect(page.getByText("https://example.com/a.pdf?sig=").first()).toBeVisible();
  expect(await page.content()).not.toContain("hunter2");

  await page.goto("/dashboard/requests?path=image/resize&status=4xx");
  await expect(rows).toHaveCount(1 + 1);
  await rows.last().getByRole("link", { name: "/v1/image/resize" }).click();
  const error = page.getByRole("region", { name: "Error" });
  await expect(error).toContainText("width must be an integer");
  await expect(error.getByRole("link", { name: /^width in the docs/ })).toHaveAttribute(
    "href",
    "/docs/image/resize#width",
  );
  await expect(page.getByText(/photo\.jpg, \d/)).toBeVisible();

  await page.getByRole("link", { name: "Open in playground", exact: true }).click();
  const width = page.getByRole("spinbutton", { name: "width" });
  await expect(width).toHaveValue("-5");
  await expect(width).toHaveAttribute("aria-invalid", "true");
  await width.fill("64");
  await page.locator("input[type=file]:not([webkitdirectory])").first().setInputFiles(photo);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("Completed").first()).toBeVisible();
});

test("repeats are one row, and the fix of a wrong name is in the playground and in curl", async ({
  signedIn: page,
  api,
}) => {
  const fields = { input: "https://example.com/photo.jpg", widht: 800, fit: "contain" };
  for (let sent = 0; sent < 3; sent++) {
    expect((await api.postJson("/v1/image/resize", fields)).status).toBe(400);
  }
  const rows = page.getByRole("table").getByRole("row");
  await page.goto("/dashboard/requests");
  await expect(rows).toHaveCount(1 + 1);
  await expect(rows.last()).toContainText("widht is not a parameter. Did you mean width?");
  await rows.last().getByRole("link", { name: "Show all 3 requests like this one" }).click();
  await expect(rows).toHaveCount(1 + 3);
  await rows.last().getByRole("link", { name: "/v1/image/resize" }).click();

  const error = page.getByRole("region", { name: "Error" });
  await expect(error.locator("del")).toContainText("widht: 800");
  await expect(error.locator("ins")).toContainText("width: 800");
  await expect(error.getByRole("link", { name: /^width in the docs/ })).toHaveAttribute(
    "href",
    "/docs/image/resize#width",
  );
  await expect(page.locator("[data-rejected]")).toHaveText(/^widht\s*800\s*Rejected$/);
  await expect(error.getByRole("button", { name: "Copy as curl with the fix" })).toBeVisible();
  await error.getByRole("link", { name: "Open in playground with the fix" }).click();
  await expect(page.getByRole("spinbutton", { name: "width" })).toHaveValue("800");
  await expect(page.getByRole("status").filter({ hasText: "Corrected." })).toContainText(
    "widht: 800 → width: 800",
  );
});

test("requests have filters, pages, and links to their jobs and back", async ({
  signedIn: page,
  api,
}) => {
  const job = await api.run("pipeline/file-inspect", { bytes: "some text", filename: "a.txt" });
  const sent = 51;
  await Promise.all(Array.from({ length: sent }, () => api.request("/v1/usage")));
  const missing = await api.request("/v1/none");
  expect(missing.status).toBe(404);
  const wrong = await api.request("/v1/usage", { headers: { "x-api-key": "mm_live_none" } });
  expect(wrong.status).toBe(401);

  const rows = page.getByRole("table").getByRole("row");
  await page.goto("/dashboard/requests?path=GET+/v1/usage");
  await expect(rows).toHaveCount(1 + 50);
  await page.getByRole("link", { name: "Older" }).click();
  await expect(rows).toHaveCount(1 + 1);
  await page.getByRole("link", { name: "Newer" }).click();
  await expect(rows).toHaveCount(1 + 50);

  await page.getByLabel("Method and path").fill("");
  await page.getByLabel("Status").selectOption("Rejected (4xx)");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(rows).toHaveCount(1 + 1);
  await expect(rows.last()).toContainText(/404\s*not_found/);
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(rows).toHaveCount(1 + 50);
  await page.getByLabel("Request or job ID").fill(job.id);
  await page.getByLabel("Method and path").fill("post");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(rows).toHaveCount(1 + 1);
  await rows.last().getByRole("link").click();
  await expect(page.getByText("a.txt, 9 B")).toBeVisible();
  await page.getByRole("link", { name: job.id }).click();
  await expect(page.getByRole("heading", { name: "pipeline/file-inspect" })).toBeVisible();
  await page.getByRole("link", { name: "Show request" }).click();
  await expect(page.getByRole("heading", { name: "POST /v1/pipeline/file-inspect" })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(pageWidth).toBeLessThanOrEqual(390);
});
