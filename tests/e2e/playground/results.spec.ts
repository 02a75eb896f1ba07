import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, expectAccessible, test } from "../support/fixtures.ts";
import { download, open, run, samples } from "../support/playground-page.ts";
import { expectDrawn, expectPlays, expectShown } from "../support/previews.ts";

test("an image operation runs on a sample; its output is compared with the input and downloaded", async ({
  signedIn: page,
}) => {
  const result = await open(page, "image/watermark-text");
  await expectAccessible(page);
  await page.getByRole("button", { name: "photo.jpg" }).click();
  await page.getByLabel("text").fill("© 東京\nsecond line");
  await page.getByRole("radio", { name: "top-left" }).check();
  await page.getByRole("slider", { name: "opacity" }).press("End");
  await page.getByLabel("color, color picker").fill("#ff8800");
  await run(page);
  await expect(result.getByText("Completed", { exact: true })).toBeVisible();
  await expectShown(result.getByRole("img", { name: "Before" }));
  await expectShown(result.getByRole("img", { name: "After" }));
  const slider = result.getByRole("slider", { name: /Visible part of the input/ });
  await slider.press("Home");
  await expect(slider).toHaveValue("0");
  await result.getByRole("button", { name: "200%" }).click();
  await expectAccessible(page);
  expect((await download(page, result)).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
  await result.getByRole("link", { name: "Open job" }).click();
  const parameters = page.locator("section", {
    has: page.getByRole("heading", { name: "Parameters" }),
  });
  await expect(parameters).toContainText("top-left");
  await expect(parameters).toContainText("#ff8800");
});

test("a video operation shows the output and the input as players", async ({ signedIn: page }) => {
  const result = await open(page, "video/preview-clip");
  await page.getByLabel("Choose the input").setInputFiles(join(samples, "video.mp4"));
  await page.getByRole("textbox", { name: "start" }).fill("0:02.5");
  await page.getByRole("slider", { name: "duration" }).press("Home");
  await run(page);
  await expect(result.getByText("Completed", { exact: true })).toBeVisible();
  for (const video of await result.locator("video").all()) await expectPlays(video);
  await expect(result.locator("video")).toHaveCount(2);
  // The browser's controls are under the picture.
  const below = await result
    .locator("video")
    .first()
    .evaluate((video: HTMLVideoElement) => {
      const picture = (video.clientWidth * video.videoHeight) / video.videoWidth;
      return video.clientHeight - picture;
    });
  expect(below).toBeGreaterThan(60);
  const length = await result
    .locator("video")
    .first()
    .evaluate((video: HTMLVideoElement) => video.duration);
  expect(length).toBeCloseTo(1, 1);
});

for (const [what, operation, file] of [
  ["an HTML page", "document/html-to-pdf", "invoice.html"],
  ["a DOCX", "document/doc-to-pdf", "report.docx"],
] as const) {
  test(`${what}: the PDF is rendered`, async ({ signedIn: page }) => {
    const result = await open(page, operation);
    await page.getByLabel("Choose the input").setInputFiles(join(samples, file));
    await run(page);
    await expect(result.getByText("Completed", { exact: true })).toBeVisible();
    await expectDrawn(result.locator("canvas"));
    await expectAccessible(page);
    expect((await download(page, result)).subarray(0, 5).toString()).toBe("%PDF-");
  });
}

test("audio plays, and a JSON result is shown as a tree", async ({ signedIn: page }) => {
  const result = await open(page, "audio/convert");
  await page.getByRole("button", { name: "audio.flac" }).click();
  await page.getByRole("radio", { name: "ogg" }).check();
  await run(page);
  await expect(result.locator("audio").first()).toBeVisible({ timeout: 60_000 });
  await expectPlays(result.locator("audio").first());
  await page.getByRole("button", { name: "audio/convert" }).click();
  await page.getByPlaceholder("Search operations…").fill("file-inspect");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Remove audio.flac" })).toBeVisible();
  await run(page);
  await expect(result.getByRole("region", { name: "Result" })).toContainText('mime "audio/flac"');
});

test("several outputs are a grid, of which one is shown in full", async ({ signedIn: page }) => {
  const result = await open(page, "video/extract-frames");
  await page.getByRole("button", { name: "video.mp4" }).click();
  await page.getByRole("spinbutton", { name: "count" }).fill("3");
  await run(page);
  const grid = result.getByRole("list", { name: "Outputs" });
  await expect(grid.getByRole("button")).toHaveCount(3);
  await expectShown(grid.locator("img").last());
  await grid.getByRole("button").last().click();
  const name = (await grid.getByRole("button").last().getAttribute("title")) ?? "";
  await expectShown(result.getByRole("img", { name }));
  await expectAccessible(page);
  const saved = page.waitForEvent("download");
  await result.getByRole("link", { name: "Download all (ZIP)" }).click();
  expect((await readFile(await (await saved).path())).subarray(0, 2).toString()).toBe("PK");
});
