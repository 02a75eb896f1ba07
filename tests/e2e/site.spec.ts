import type { APIRequestContext } from "@playwright/test";
import { guideHref, guideSlugs } from "#components/docs/guides.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import { typicalOperations } from "#tests/screenshots/typical-operations.ts";
import { expect, test } from "./support/fixtures.ts";

const pages = [
  "/",
  ...guideSlugs.map(guideHref),
  "/docs/image",
  ...operations.map(({ id }) => `/docs/${id}`),
];

/** Pages whose layout is tried. Those of the other operations have the same components and less text. */
const typicalPages = async (request: APIRequestContext) => {
  const reference = await Promise.all(
    operations.map(async ({ id }) => ({
      path: `/docs/${id}`,
      length: (await (await request.get(`/docs/${id}`)).text()).length,
    })),
  );
  const longest = reference.toSorted((a, b) => b.length - a.length).slice(0, 8);
  const typical = typicalOperations.map(({ id }) => `/docs/${id}`);
  return new Set([
    ...["/", "/docs/image", ...guideSlugs.map(guideHref), ...typical],
    ...longest.map(({ path }) => path),
  ]);
};

test("pages of the site load and fit a narrow screen", async ({ page, request }) => {
  test.setTimeout(180_000);
  await page.setViewportSize({ width: 320, height: 800 });
  for (const path of await typicalPages(request)) {
    const response = await page.goto(path, { waitUntil: "domcontentloaded" });
    expect(response?.status(), path).toBe(200);
    await expect(page.locator("h1"), path).toHaveCount(1);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, path).toBeLessThanOrEqual(320);
  }
});

test("every internal link and anchor of the site exists", async ({ request }) => {
  const html = new Map<string, string>();
  const read = async (path: string) => {
    const known = html.get(path);
    if (known !== undefined) return known;
    const response = await request.get(path);
    expect(response.status(), path).toBe(200);
    const text = await response.text();
    html.set(path, text);
    return text;
  };
  for (const path of pages) {
    const text = await read(path);
    expect(text.match(/<h1[ >]/g), path).toHaveLength(1);
    const links = [...text.matchAll(/ href="(\/[^"]*)"/g)].map(([, link]) => link ?? "");
    for (const link of new Set(links)) {
      const [target = "", anchor] = link.split("#");
      const found = await read(target);
      if (anchor) expect(found, link).toContain(`id="${anchor}"`);
    }
  }
});

test("the search finds operations and guide sections by keyboard", async ({ page }) => {
  await page.goto("/docs");
  await page.keyboard.press("Control+k");
  const input = page.getByPlaceholder("Search docs…");
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

test("llms.txt and llms-full.txt list every operation", async ({ request }) => {
  const index = await (await request.get("/llms.txt")).text();
  const full = await (await request.get("/llms-full.txt")).text();
  for (const { id } of operations) {
    expect(index).toContain(`/docs/${id}`);
    expect(full).toContain(`## POST /v1/${id}`);
  }
  for (const client of ["@mediamill/sdk", "@mediamill/cli", "/docs/python", "/docs/mcp", "n8n"]) {
    expect(index).toContain(client);
  }
});

test("the sitemap lists every page, with its canonical URL and its Markdown", async ({
  request,
  service,
}) => {
  const sitemap = await (await request.get("/sitemap.xml")).text();
  for (const path of pages) {
    expect(sitemap).toContain(`<loc>${new URL(path, service.url).href}</loc>`);
  }
  for (const path of ["/docs", "/docs/limits", "/docs/image", "/docs/image/crop"]) {
    const html = await (await request.get(path)).text();
    expect(html).toContain(`<link rel="canonical" href="${service.url}${path}"/>`);
    const markdown = await request.get(`${path}.md`);
    expect(markdown.headers()["content-type"]).toContain("text/markdown");
    expect(await markdown.text(), path).toMatch(/^# \w/);
  }
  expect((await request.get("/docs/image/none.md")).status()).toBe(404);
});
