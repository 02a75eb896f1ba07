import { fileURLToPath } from "node:url";
import { expect, expectAccessible, test } from "./support/fixtures.ts";

const photo = fileURLToPath(new URL("../../public/samples/inputs/photo.jpg", import.meta.url));

for (const width of [1440, 390]) {
  test(`a visitor runs an operation on a file without an account, at ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/");
    const area = page.getByRole("region", { name: "Try it" });
    const startedAt = Date.now();
    // Two clicks, and the file.
    await area.getByLabel("Choose your file").setInputFiles({
      name: "holiday.jpg",
      mimeType: "image/jpeg",
      buffer: await import("node:fs/promises").then(({ readFile }) => readFile(photo)),
    });
    await area.getByRole("button", { name: "Crop to a square" }).click();
    await area.getByRole("button", { name: "Run" }).click();
    await expect(area.getByText("Completed", { exact: true })).toBeVisible();
    expect(Date.now() - startedAt).toBeLessThan(30_000);
    await expect(area.getByText(/^image\/jpeg, .* × /)).toBeVisible();
    await expect(area.getByText("Running")).toBeVisible();
    for (const language of ["curl", "TypeScript", "Python", "CLI"]) {
      await area.getByRole("tab", { name: language }).click();
      await expect(area.getByRole("tabpanel", { name: language })).toContainText("holiday.jpg");
    }
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      area.getByRole("link", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("holiday-crop.jpg");
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(overflow).toBeLessThanOrEqual(width);
    await expectAccessible(page);
  });
}

test("samples of other types offer other operations; a file that is too large is refused at once", async ({
  page,
}) => {
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url()));
  await page.goto("/");
  const area = page.getByRole("region", { name: "Try it" });
  await area.getByRole("button", { name: "Podcast" }).click();
  await expect(area.getByRole("button", { name: "Crop to a square" })).toHaveCount(0);
  await area.getByRole("button", { name: "Draw the waveform" }).click();
  await area.getByRole("button", { name: "Run" }).click();
  await expect(area.getByText("Completed", { exact: true })).toBeVisible();
  await area.getByLabel("Choose your file").setInputFiles({
    name: "large.jpg",
    mimeType: "image/jpeg",
    buffer: Buffer.alloc(10_000_001),
  });
  await expect(area.getByRole("alert")).toContainText("at most 10 MB");
  await expect(area.getByRole("link", { name: "Create an account" })).toBeVisible();
  await expect(area.getByRole("button", { name: "Run" })).toBeDisabled();
  expect(sent.filter((url) => url.includes("/try/run/"))).toHaveLength(1);
});
