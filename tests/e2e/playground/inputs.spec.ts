import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "../support/fixtures.ts";
import { open, run, samples } from "../support/playground-page.ts";
import { expectPlays, expectShown } from "../support/previews.ts";
import { slowUploads } from "../support/slow-uploads.ts";

test("an input by URL with a second file", async ({ signedIn: page, host }) => {
  await copyFile(join(samples, "video.mp4"), join(host.folder, "by-url.mp4"));
  const result = await open(page, "pipeline/video-watermark");
  await page.getByLabel("URL of the input").fill(`${host.url}/by-url.mp4`);
  await run(page);
  await expect(page.getByRole("group", { name: "watermark" })).toContainText("Choose a file or");
  await page.getByRole("button", { name: "logo.png" }).click();
  await expect(page.getByRole("button", { name: "Remove logo.png" })).toBeFocused();
  await page.keyboard.press("Control+Enter");
  await expectPlays(result.locator("video").first());
});

test("several files are added, put in order with the keyboard and the mouse, and sent", async ({
  signedIn: page,
  api,
}) => {
  const result = await open(page, "image/animated");
  await run(page);
  await expect(page.getByText("Choose 2 to 100 files, or add their URLs.")).toBeVisible();
  const names = ["photo.jpg", "logo.png", "orange-1.webp"];
  const chooser = page.getByLabel("Choose the inputs");
  await chooser.setInputFiles(names.map((name) => join(samples, name)));
  const list = page.getByRole("list", { name: "Inputs in order" });
  const order = () => list.locator("[title]").allInnerTexts();
  await expect.poll(order).toEqual(names);
  const handle = (name: string) => page.getByRole("button", { name: new RegExp(`^Move ${name}`) });
  await handle("photo.jpg").press("ArrowDown");
  await expect.poll(order).toEqual(["logo.png", "photo.jpg", "orange-1.webp"]);
  await expect(handle("photo.jpg")).toBeFocused();
  await handle("orange-1.webp").dragTo(handle("logo.png"));
  await expect.poll(order).toEqual(["orange-1.webp", "logo.png", "photo.jpg"]);
  await page.getByRole("button", { name: "Remove logo.png" }).click();
  await expectAccessible(page);
  await run(page);
  await expect(result.getByText("Completed", { exact: true })).toBeVisible();
  const { jobs } = await (await api.request("/v1/jobs")).json();
  expect(jobs[0]).toMatchObject({
    operation: "image/animated",
    input: { filename: "orange-1.webp" },
  });
});

test("the samples of an operation with several inputs are loaded together", async ({
  signedIn: page,
}) => {
  const result = await open(page, "audio/concat");
  await page.getByRole("button", { name: "2 sample files" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "audio.flac" })).toBeVisible();
  await run(page);
  await expectPlays(result.locator("audio").first());
});

test("an operation without a file has no file field", async ({ signedIn: page }) => {
  const result = await open(page, "image/qr-code");
  await expect(page.getByRole("button", { name: /^Choose/ })).toHaveCount(0);
  await page.getByRole("textbox", { name: "text" }).fill("https://example.com/東京");
  await run(page);
  await expectShown(result.getByRole("img", { name: /png$/ }));
});

test("an upload shows its progress and can be cancelled", async ({ signedIn: page, api }) => {
  const result = await open(page, "pipeline/file-inspect");
  const bytes = Buffer.alloc(4_000_000, "some text. ");
  const large = { name: "large.txt", mimeType: "text/plain", buffer: bytes };
  await page.getByLabel("Choose the input").setInputFiles(large);
  const slow = await slowUploads(page, 400_000);
  await run(page);
  const upload = result.getByRole("progressbar", { name: "Upload" });
  await expect(upload).toHaveAttribute("aria-valuetext", /of 4 MB$/);
  await result.getByRole("button", { name: "Cancel upload" }).click();
  await expect(result.getByText("No result yet")).toBeVisible();
  await slow.end();
  const { jobs } = await (await api.request("/v1/jobs")).json();
  expect(jobs).toEqual([]);
});

test("a wrong value and a file of another type are reported before anything is uploaded", async ({
  signedIn: page,
}) => {
  await open(page, "image/sharpen");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/dashboard/api/run/")) sent.push(request.url());
  });
  await page.getByRole("button", { name: "photo.jpg" }).click();
  const sigma = page.getByRole("spinbutton", { name: "sigma" });
  await sigma.fill("11");
  await run(page);
  await expect(sigma).toHaveAccessibleDescription(/`?sigma`? must be a number from 0.1 to 10/);
  await expect(sigma).toBeFocused();
  await page.getByRole("button", { name: "image/sharpen" }).click();
  await page.getByPlaceholder("Search operations…").fill("audio/convert");
  await page.keyboard.press("Enter");
  const alert = page.getByRole("alert").filter({ hasText: "photo.jpg has a type" });
  await expect(alert).toBeVisible();
  await run(page);
  await expect(alert).toBeVisible();
  expect(sent).toEqual([]);
});

/** Drags a file over the page, or drops it there. */
function drag(page: Page, type: "dragenter" | "drop") {
  return page.evaluate((type) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["x"], "x.jpg", { type: "image/jpeg" }));
    const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
    document.querySelector("h1")?.dispatchEvent(event);
  }, type);
}

test("a folder is dropped on the page: each file becomes a job, failures stand aside, one ZIP has the results", async ({
  signedIn: page,
}, info) => {
  const folder = info.outputPath("photos");
  await mkdir(join(folder, "sub"), { recursive: true });
  for (const name of ["a.jpg", "b.jpg", "sub/c.jpg"])
    await copyFile(join(samples, "photo.jpg"), join(folder, name));
  await writeFile(join(folder, "fake.jpg"), "text");
  const result = await open(page, "image/resize");
  // Over any place of the page, a drag shows that files can be dropped.
  await drag(page, "dragenter");
  await expect(
    page.getByText("Drop a file, many files, a folder or a ZIP", { exact: true }),
  ).toBeVisible();
  await drag(page, "drop");
  await expect(page.getByText("x.jpg", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Remove x.jpg" }).click();

  await page.getByLabel("Choose a folder").setInputFiles(folder);
  await page.getByRole("spinbutton", { name: "width" }).fill("64");
  await page.getByRole("button", { name: "Run on 4 files" }).click();
  await expect(result.getByText("3 of 4 files are done, 1 failed")).toBeVisible();
  const failures = result.getByRole("region", { name: "Failures" });
  await expect(failures).toContainText("photos/fake.jpg");
  await expect(result.getByRole("list", { name: "Files" }).getByRole("img")).toHaveCount(0);
  await expect(result.getByRole("list", { name: "Files" }).locator("img")).toHaveCount(3);
  await expect(result.getByText("mediamill run image/resize ./in --out ./out")).toBeVisible();
  await expectAccessible(page);

  // A retry uses the form as it is now, and the file that cannot be used fails again.
  await failures.getByRole("button", { name: "Retry all 1" }).click();
  await expect(result.getByText("3 of 4 files are done, 1 failed")).toBeVisible();
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    result.getByRole("link", { name: "Download all as ZIP" }).click(),
  ]);
  const archive = (await readFile(await saved.path())).toString("latin1");
  for (const name of ["photos/a-resize.jpg", "photos/sub/c-resize.jpg"])
    expect(archive).toContain(name);
});

test("a batch that runs is ended only by its own button, not by a file that is dropped", async ({
  signedIn: page,
}, info) => {
  const folder = info.outputPath("texts");
  await mkdir(folder, { recursive: true });
  for (const name of ["a.txt", "b.txt"])
    await writeFile(join(folder, name), Buffer.alloc(4_000_000, "some text. "));
  const result = await open(page, "pipeline/file-inspect");
  await page.getByLabel("Choose a folder").setInputFiles(folder);
  const slow = await slowUploads(page, 400_000);
  await page.getByRole("button", { name: "Run on 2 files" }).click();
  const counted = result.getByText("0 of 2 files", { exact: true }).first();
  await expect(counted).toBeVisible();
  const message = page.getByText("Cancel the batch first.");
  await drag(page, "drop");
  await expect(message).toBeVisible();
  await page.getByRole("button", { name: "Remove all files" }).click();
  await expect(message).toHaveCount(2);
  await expect(counted).toBeVisible();
  await result.getByRole("button", { name: "Cancel all" }).click();
  await expect(result.getByText("0 of 2 files are done, 2 cancelled")).toBeVisible();
  await drag(page, "drop");
  await expect(page.getByText("x.jpg", { exact: true })).toBeVisible();
  await slow.end();
});
