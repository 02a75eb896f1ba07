import type { Locator } from "@playwright/test";
import { expect, expectAccessible, test } from "./support/fixtures.ts";

test.use({ contextOptions: { forcedColors: "active" } });

const text = { bytes: "some text", filename: "notes.txt", contentType: "text/plain" };

/** The background that the browser draws, as it was computed. */
const background = (locator: Locator) =>
  locator.evaluate((element) => getComputedStyle(element).backgroundColor);

test("charts, the timeline and the position picker are visible in forced colors", async ({
  signedIn: page,
  api,
}) => {
  const { id } = await api.run("pipeline/file-inspect", text);
  await page.goto("/dashboard");
  const canvas = await background(page.locator("body"));
  const isDrawn = async (locator: Locator) =>
    ![canvas, "rgba(0, 0, 0, 0)"].includes(await background(locator));
  const chart = page.getByRole("slider", { name: "Jobs per day: select a day" });
  expect(await isDrawn(chart.locator(".bg-success").last())).toBe(true);
  await expectAccessible(page);
  await page.goto(`/dashboard/jobs/${id}`);
  for (const bar of await page.locator("[style*=left].absolute.inset-y-0").all())
    expect(await isDrawn(bar)).toBe(true);
  await page.goto("/dashboard/playground?operation=image/watermark-text");
  const position = page.getByRole("radiogroup", { name: "position" });
  for (const cell of await position.locator("label > span").all())
    expect(await isDrawn(cell)).toBe(true);
  // The browser replaces the colors of text and its background together.
  const button = page.getByRole("button", { name: "Run", exact: true });
  const color = await button.evaluate((element) => getComputedStyle(element).color);
  expect(color).not.toBe(await background(button));
  await expectAccessible(page);
});
