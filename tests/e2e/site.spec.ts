import { operations } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import { parameterSchemas } from "#lib/operations/parameter-schema.ts";
import { typicalOperations } from "#tests/screenshots/typical-operations.ts";
import { expect, test } from "./support/fixtures.ts";
import { expectFits, narrowScreen } from "./support/narrow-screen.ts";
import { openSearch } from "./support/search.ts";

/** The reference pages with the longest descriptions of parameters. */
const longestReference = operations
  .toSorted((one, other) => textLength(other) - textLength(one))
  .slice(0, 8);

function textLength({ params }: Operation): number {
  return JSON.stringify(parameterSchemas(params)).length;
}

test("the reference pages with the longest texts load and fit a narrow screen", async ({
  page,
}) => {
  await page.setViewportSize(narrowScreen);
  // The others have the same components and less text. Those of typical operations are in accessible.spec.ts.
  for (const { id } of longestReference.filter((one) => !typicalOperations.includes(one))) {
    const response = await page.goto(`/docs/${id}`);
    expect(response?.status(), id).toBe(200);
    await expectFits(page);
  }
});

test("the search finds operations and guide sections by keyboard", async ({ page }) => {
  await page.goto("/docs");
  const input = await openSearch(page);
  await input.fill("normalize");
  await expect(page.getByRole("option").first()).toContainText("Normalize");
  await input.fill("idempotency");
  await expect(page.getByRole("option").first()).toContainText("Use an idempotency key");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs\/jobs#use-an-idempotency-key$/);
});

test("the catalogue on the home page is searched and filtered", async ({ page }) => {
  await page.goto("/");
  const catalogue = page.getByRole("region", { name: `${operations.length} operations` });
  await expect(catalogue.getByRole("link")).toHaveCount(12);
  await catalogue.getByRole("button", { name: "Show all" }).click();
  await expect(catalogue.getByRole("link")).toHaveCount(operations.length);
  await catalogue.getByLabel("Search operations").fill("exif");
  await expect(catalogue.getByRole("link", { name: "Strip metadata" })).toBeVisible();
  await expect(catalogue.getByRole("link", { name: "Crop image" })).toHaveCount(0);
  await catalogue.getByRole("button", { name: "Audio" }).click();
  await expect(catalogue.getByText("No operation matches “exif”")).toBeVisible();
  await catalogue.getByLabel("Search operations").fill("");
  await expect(catalogue.getByRole("link")).toHaveCount(
    operations.filter(({ group }) => group === "audio").length,
  );
});

test("the navigation of the docs opens the group of the page", async ({ page }) => {
  await page.goto("/docs/image/crop");
  const navigation = page.getByRole("navigation", { name: "Docs" });
  await expect(navigation.getByRole("link", { name: "Crop image" })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await expect(navigation.getByRole("link", { name: "Normalize audio" })).toBeHidden();
  await navigation.getByText("Audio", { exact: true }).click();
  await expect(navigation.getByRole("link", { name: "Convert audio" })).toBeVisible();
});

test("the samples play and render", async ({ page }) => {
  await page.goto("/docs/video/overlay-text");
  const video = page.locator("video").last();
  await video.evaluate((element: HTMLVideoElement) => element.play());
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(0.2);
  await page.goto("/docs/image/watermark-text");
  for (const image of await page.locator("figure img").all()) {
    await image.scrollIntoViewIfNeeded();
    await expect
      .poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth))
      .toBeGreaterThan(600);
  }
});
