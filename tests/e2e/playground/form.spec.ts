import { join } from "node:path";
import { expect, expectAccessible, test } from "../support/fixtures.ts";
import { open, run, samples } from "../support/playground-page.ts";

test("a rejection is shown at its field, which gets the focus", async ({ signedIn: page }) => {
  await open(page, "image/sharpen");
  await page.getByLabel("Choose the input").setInputFiles(join(samples, "photo.jpg"));
  const sigma = page.getByRole("spinbutton", { name: "sigma" });
  await sigma.fill("99");
  await run(page);
  await expect(page.getByText("sigma must be a number from 0.1 to 10.")).toBeVisible();
  await expect(sigma).toBeFocused();
  await expect(sigma).toHaveAccessibleDescription(/must be a number/);
  await expectAccessible(page);
  await sigma.fill("2");
  await expect(page.getByText("sigma must be a number from 0.1 to 10.")).toHaveCount(0);
  await page.getByRole("button", { name: "Remove photo.jpg" }).click();
  await page.getByLabel("Choose the input").setInputFiles(join(samples, "report.docx"));
  await run(page);
  await expect(page.getByRole("group", { name: "Input" })).toContainText(
    "report.docx has a type that this operation does not take",
  );
});

test("an operation is found by keyboard, and its form is generated from its schema", async ({
  signedIn: page,
}) => {
  await open(page, "image/sharpen");
  await page.getByRole("button", { name: "image/sharpen" }).press("Enter");
  const search = page.getByPlaceholder("Search operations…");
  await expect(page.getByRole("option", { selected: true })).toContainText("image/sharpen");
  await search.fill("mirror an image");
  await expect(page.getByRole("option", { selected: true })).toContainText("image/flip");
  await expect(page.getByRole("option", { name: "image/sharpen" })).toHaveCount(0);
  await search.fill("normalize");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/operation=audio\/normalize$/);
  await expect(page.getByRole("slider", { name: "target_lufs" })).toHaveAttribute("min", "-70");
  await page.reload();
  await expect(page.getByRole("slider", { name: "true_peak" })).toBeVisible();
});

test("a link to an operation that does not exist says so", async ({ signedIn: page }) => {
  await page.goto("/dashboard/playground?operation=image/shrapen");
  const message = page.getByRole("alert").filter({ hasText: "no operation “image/shrapen”" });
  await expect(message).toBeVisible();
  await expect(page.getByRole("button", { name: "image/watermark-text" })).toBeVisible();
  await page.goto("/dashboard/playground?operations=%7B");
  await expect(page.getByText("This link is damaged")).toBeVisible();
});

test("the filled-in request can be copied as code", async ({ signedIn: page }) => {
  await open(page, "image/sharpen");
  await page.getByRole("button", { name: "photo.jpg" }).click();
  await page.getByRole("spinbutton", { name: "sigma" }).fill("3.5");
  await page.getByRole("button", { name: "Copy as code" }).click();
  await page.getByRole("button", { name: "Copy code" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain("/v1/image/sharpen");
  expect(copied).toContain("-F file=@photo.jpg");
  expect(copied).toContain("-F sigma=3.5");
  await page.getByRole("tab", { name: "Python" }).click();
  await expect(page.getByRole("tabpanel")).toContainText("sigma=3.5");
  await page.getByRole("tab", { name: "TypeScript" }).click();
  await expect(page.getByRole("tabpanel")).toContainText("sigma: 3.5");
  await page.getByRole("tab", { name: "CLI" }).click();
  await expect(page.getByRole("tabpanel")).toContainText("--sigma 3.5");
});

test("a running job is cancelled in the playground", async ({ signedIn: page, host }) => {
  const result = await open(page, "pipeline/file-inspect");
  await page.getByLabel("URL of the input").fill(`${host.url}/drip`);
  await run(page);
  await expect(result.getByText("Processing", { exact: true })).toBeVisible();
  await result.getByRole("button", { name: "Cancel job" }).click();
  await expect(result.getByText("Cancelled", { exact: true })).toBeVisible();
});

test("runs require a session and a same-origin request", async ({
  signedIn: page,
  service,
  playwright,
}) => {
  const path = `${service.url}/dashboard/api/run/pipeline/file-inspect`;
  const file = { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("text") };
  const crossSite = await page.request.post(path, {
    headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    multipart: { file },
  });
  expect(crossSite.status()).toBe(403);
  const withoutOrigin = await page.request.post(path, { multipart: { file } });
  expect(withoutOrigin.status()).toBe(403);
  const signedOut = await playwright.request.newContext();
  const withoutSession = await signedOut.post(path, {
    headers: { origin: service.url },
    multipart: { file },
  });
  expect(withoutSession.status()).toBe(401);
  await signedOut.dispose();
});

/** How many tabs have files in the browser's own database. Runs in the page. */
async function countSavedForms(): Promise<number> {
  const name = "mediamill-playground";
  // To open it would create it, without its store.
  if (!(await indexedDB.databases()).some((one) => one.name === name)) return 0;
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const counting = opening.result.transaction("files").objectStore("files").count();
      counting.onerror = () => reject(counting.error);
      counting.onsuccess = () => resolve(counting.result);
      opening.result.close();
    };
  });
}

test("the form and its result survive a reload, the Back button and the end of the session", async ({
  signedIn: page,
  context,
  account,
}) => {
  const result = await open(page, "image/sharpen");
  const sigma = page.getByRole("spinbutton", { name: "sigma" });
  const file = page.getByRole("button", { name: "Remove photo.jpg" });
  await page.getByRole("button", { name: "photo.jpg" }).click();
  await sigma.fill("2.5");
  await expect(file).toBeVisible();
  // The file is copied shortly after it was chosen.
  await expect.poll(() => page.evaluate(countSavedForms)).toBe(1);
  await page.reload();
  await expect(sigma).toHaveValue("2.5");
  await expect(file).toBeVisible();

  await run(page);
  await result.getByRole("link", { name: "Open job" }).click();
  await expect(page.getByRole("heading", { name: "Timeline" })).toBeVisible();
  await page.goBack();
  await expect(sigma).toHaveValue("2.5");
  await expect(result.getByText("Completed", { exact: true })).toBeVisible();

  await context.clearCookies();
  await sigma.fill("3.5");
  await run(page);
  await page.getByRole("link", { name: "Sign in. Your form is kept." }).click();
  await page.getByLabel("Email address").fill(account.email);
  await page.getByLabel("Password", { exact: true }).fill(account.password);
  await page.keyboard.press("Enter");
  await expect(sigma).toHaveValue("3.5");
  await expect(file).toBeVisible();
});
