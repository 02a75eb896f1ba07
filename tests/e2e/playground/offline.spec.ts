import { join } from "node:path";
import { expect, test } from "../support/fixtures.ts";
import { open, run, samples } from "../support/playground-page.ts";

// In the context of other tests, parts of the pages may be loaded already.
test.use({ reuseContext: false });

test("without a connection, the playground says so, keeps the form, and runs it later", async ({
  signedIn: page,
  context,
}) => {
  const result = await open(page, "image/resize");
  await context.setOffline(true);
  await page.getByLabel("Choose the input").setInputFiles(join(samples, "photo.jpg"));
  await expect(page.getByText("This part of the page could not be loaded.")).toBeVisible();
  await page.getByLabel("width", { exact: true }).fill("300");
  await run(page);
  const form = page.getByRole("alert").filter({ hasText: "Check the connection and try again." });
  await expect(form).toBeVisible();
  await expect(page.getByLabel("width", { exact: true })).toHaveValue("300");
  await context.setOffline(false);
  await run(page);
  await expect(result).toContainText("300 × 200");
});

test("a result appears after an error response to its events", async ({ signedIn: page }) => {
  const failure = { status: 502, body: "Bad gateway" };
  await page.route("**/dashboard/api/jobs/*/events", (route) => route.fulfill(failure), {
    times: 1,
  });
  const result = await open(page, "image/resize");
  await page.getByLabel("Choose the input").setInputFiles(join(samples, "photo.jpg"));
  await page.getByLabel("width", { exact: true }).fill("300");
  await run(page);
  await expect(result).toContainText("300 × 200");
});

test("without a connection, a dialog that cannot be loaded says so, and opens later", async ({
  signedIn: page,
  context,
}) => {
  await page.goto("/dashboard/keys");
  await context.setOffline(true);
  const create = page.getByRole("button", { name: "Create key" });
  await create.click();
  await expect(page.getByRole("status")).toContainText("Check the connection and try again.");
  await expect(create).toHaveAttribute("aria-expanded", "false");
  await context.setOffline(false);
  await create.click();
  await expect(page.getByRole("dialog", { name: "Create API key" })).toBeVisible();
});
