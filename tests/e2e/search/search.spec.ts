import type { Locator, Page } from "@playwright/test";
import { createTestAccount, expect, expectAccessible, signIn, test } from "../support/fixtures.ts";
import { openSearch } from "../support/search.ts";

// Most tests run without animations.
test.use({ contextOptions: { reducedMotion: "no-preference" } });

const options = (page: Page) => page.getByRole("dialog").getByRole("option");
const damaged = { bytes: Buffer.from("ffd8ffe000104a464946", "hex"), filename: "photo-149.jpg" };

/** All rows are inside of the dialog, and only their excerpts are cut. */
async function expectInside(dialog: Locator): Promise<void> {
  const outside = await dialog.evaluate((element) => {
    const { left, right } = element.getBoundingClientRect();
    return [...element.querySelectorAll("[role=option] *")]
      .filter((part) => {
        const box = part.getBoundingClientRect();
        const isInline = part.clientWidth === 0;
        const isExcerpt = getComputedStyle(part).textOverflow === "ellipsis";
        const isCut = !isInline && !isExcerpt && part.scrollWidth > part.clientWidth;
        return box.left < left || box.right > right || isCut;
      })
      .map(({ textContent }) => textContent);
  });
  expect(outside).toEqual([]);
}

for (const width of [1440, 390]) {
  test(`rows of the search fit the dialog at a width of ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/docs");
    const field = await openSearch(page);
    for (const query of ["webhook", "self hosting", "automatic retries", "rate_limited"]) {
      await field.fill(query);
      await expect(options(page).nth(2)).toBeVisible();
      await expectInside(page.getByRole("dialog"));
    }
    await expectAccessible(page);
  });
}

test("a search for formats opens the operation with the format filled in", async ({
  page,
  account,
  context,
}) => {
  await page.goto("/docs");
  await (await openSearch(page)).fill("heic to jpg");
  await expect(options(page).first()).toContainText("HEIC to JPEG, with format=jpeg filled in");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/docs/image/convert?format=jpeg");
  await expect(page.getByRole("region", { name: "Request" })).toContainText("format=jpeg");
  const link = page.getByRole("link", { name: "Try it" });
  await expect(link).toHaveAttribute("href", /operation%3Dimage%2Fconvert%26format%3Djpeg/);

  await signIn(context, account);
  await page.goto("/dashboard");
  await (await openSearch(page)).fill("hiec to jgp");
  await expect(options(page).first()).toContainText("Run image/convert");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/dashboard/playground?operation=image/convert&format=jpeg");
  const chosen = page.getByRole("radiogroup", { name: "format" }).getByRole("radio", {
    checked: true,
  });
  await expect(chosen).toHaveValue("jpeg");

  await page.getByRole("button", { name: /^Operation:/ }).click();
  await page.getByRole("dialog").getByRole("combobox").fill("avif");
  await expect(options(page).first()).toContainText("To AVIF, with format=avif filled in");
  await page.keyboard.press("Enter");
  await expect(chosen).toHaveValue("avif");
  // A link fills in only values that the operation names.
  await page.goto("/dashboard/playground?operation=image/convert&format=exe&background=red");
  await expect(chosen).toHaveValue("webp");
  await expect(page.getByRole("textbox", { name: "background", exact: true })).not.toHaveValue(
    "red",
  );
});

test("own jobs are found by file name and id, those of others are not", async ({
  signedIn: page,
  api,
  browser,
  service,
}) => {
  const job = await api.run("image/sharpen", damaged);
  await page.goto("/dashboard");
  const field = await openSearch(page);
  await field.fill("PHOTO-14");
  await expect(options(page).first()).toContainText("photo-149.jpg");
  await expect(options(page).first()).toContainText("image/sharpen, failed");
  await field.fill(job.id);
  await expect(options(page)).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/dashboard/jobs/${job.id}`);
  await page.goto("/dashboard");
  await (await openSearch(page)).fill("last failed");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/dashboard/jobs/${job.id}`);

  const other = await browser.newContext({ baseURL: service.url });
  const search = (query: string) => other.request.get(`/dashboard/api/jobs/search?${query}`);
  expect((await search("text=photo")).status()).toBe(401);
  await signIn(other, await createTestAccount("pro"));
  for (const query of ["text=photo", `text=${job.id}`, "text=job_", "status=failed"]) {
    expect(await (await search(query)).json(), query).toEqual({ jobs: [] });
  }
  expect((await search("text=")).status()).toBe(400);
  await other.close();
});

test("the search changes the theme, opens forms and says that no job has failed", async ({
  signedIn: page,
}) => {
  await page.goto("/dashboard");
  const run = async (query: string) => {
    await (await openSearch(page)).fill(query);
    await expect(options(page).first()).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: "Search" })).toBeHidden();
  };
  await run("dark");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await run("light mode");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await run("last failed");
  await expect(page.getByText("No job has failed.")).toBeVisible();
  await run("webhook");
  await expect(page).toHaveURL("/dashboard/webhooks");
  for (let times = 0; times < 2; times++) {
    await run("new key");
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByLabel("Name")).toBeVisible();
    await expect(page).toHaveURL("/dashboard/keys");
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  }
  await run("log out");
  await expect(page).toHaveURL(/^(?!.*dashboard)/);
});
