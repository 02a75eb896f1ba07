import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, test } from "./support/fixtures.ts";
import { expectDrawn, expectPlays, expectShown } from "./support/previews.ts";

const samples = join(import.meta.dirname, "../../public/samples/inputs");

async function open(page: Page, operation: string): Promise<Locator> {
  await page.goto(`/dashboard/playground?operation=${operation}`);
  await expect(page.getByRole("button", { name: operation })).toBeVisible();
  return page.getByRole("region", { name: "Result" });
}

const run = (page: Page) => page.getByRole("button", { name: "Run", exact: true }).click();

/** The file that the download link saves. */
async function download(page: Page, result: Locator): Promise<Buffer> {
  const saved = page.waitForEvent("download");
  await result.getByRole("link", { name: "Download" }).click();
  return readFile(await (await saved).path());
}

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

test("a picture follows the parameters live; settings are compared, one is used, and the result is shared", async ({
  signedIn: page,
  browser,
}) => {
  const result = await open(page, "image/convert");
  await page.getByRole("button", { name: "photo.jpg" }).click();
  const live = page.getByRole("region", { name: "Live preview" });
  const picture = live.getByRole("img", { name: "Preview of the result" });
  await expect(picture).toHaveAttribute("src", /^data:image\/webp;/);
  await expect(live).toContainText(/Full result: 1200 × 800, about/);
  const before = await picture.getAttribute("src");
  await page.getByRole("slider", { name: "quality" }).press("End");
  await expect(picture).not.toHaveAttribute("src", before ?? "");
  await expectShown(picture);

  await page.getByRole("button", { name: "Compare", exact: true }).click();
  const comparison = page.getByRole("region", { name: "Compare settings" });
  await comparison.getByLabel("Values").fill("10, 90");
  await comparison.getByRole("button", { name: "Compare", exact: true }).click();
  const settings = comparison.getByRole("list", { name: "Results" }).getByRole("listitem");
  await expect(settings).toHaveCount(2);
  for (const setting of await settings.all())
    await expect(setting).toContainText(/SSIM\s*0\.\d{4}/);
  await expect(comparison.getByRole("img", { name: /^Size over similarity/ })).toBeVisible();
  await expectAccessible(page);
  await comparison.getByRole("button", { name: "Use this one: quality 90" }).click();
  await expect(page.getByRole("spinbutton", { name: "quality" })).toHaveValue("90");
  await comparison.getByRole("button", { name: "Close the comparison" }).click();

  await run(page);
  await result.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "Share this result" });
  await dialog.getByLabel("Title").fill("Smaller");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = dialog.getByRole("link", { name: /^Smaller/ });
  await expect(link).toBeFocused();
  await expectAccessible(page);
  const url = (await link.getAttribute("href")) ?? "";
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(url);
  await expect(visitor.getByRole("heading", { name: "Smaller" })).toBeVisible();
  await expectShown(visitor.getByRole("img", { name: "After" }));
  await expectShown(visitor.getByRole("img", { name: "Before" }));
  await expectAccessible(visitor);
  await dialog.getByRole("button", { name: /^Revoke/ }).click();
  await expect(link).toHaveCount(0);
  expect((await visitor.reload())?.status()).toBe(404);
  await visitor.context().close();
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

test("a box is drawn on the picture, moved with the keyboard, and cut out", async ({
  signedIn: page,
}) => {
  const result = await open(page, "image/crop");
  await page.getByRole("button", { name: "photo.jpg" }).click();
  const picture = page.getByRole("group", { name: "Picture to draw the box on" });
  await expectShown(picture.locator("img"));
  await expect(page.getByRole("button", { name: "Box: 0,0,1200,800" })).toBeVisible();
  const placeOf = async () => (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const { x, y, width, height } = await placeOf();
  await page.mouse.move(x + width / 4, y + height / 4);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 3 });
  await page.mouse.up();
  const number = (name: string) => page.getByRole("spinbutton", { name, exact: true });
  const left = Number(await number("left").inputValue());
  expect(Math.abs(left - 300)).toBeLessThan(6);
  const box = page.getByRole("button", { name: /^Box: / });
  await box.press("ArrowRight");
  await expect(number("left")).toHaveValue(String(left + 12));
  await expectAccessible(page);
  await box.press("Delete");
  await expect(number("left")).toHaveValue("");
  for (const [name, value] of Object.entries({ left: 10, top: 20, width: 300, height: 200 })) {
    await number(name).fill(String(value));
  }
  await expect(page.getByRole("button", { name: "Box: 10,20,300,200" })).toBeVisible();
  // The middle of the right edge, after the page was scrolled to the fields.
  await picture.scrollIntoViewIfNeeded();
  const place = await placeOf();
  const edge = { x: place.x + (310 / 1200) * width, y: place.y + (120 / 800) * height };
  await page.mouse.move(edge.x, edge.y);
  await page.mouse.down();
  await page.mouse.move(edge.x + width / 12, edge.y, { steps: 3 });
  await page.mouse.up();
  const wider = Number(await number("width").inputValue());
  expect(Math.abs(wider - 400)).toBeLessThan(6);
  await expect(number("left")).toHaveValue("10");
  await number("width").fill("300");
  await run(page);
  await expect(result.getByText(/300 × 200/).first()).toBeVisible();
});

test("regions are drawn with a finger, changed as numbers, and removed", async ({
  signedIn: page,
}) => {
  const result = await open(page, "image/pixelate");
  await page.getByRole("button", { name: "photo.jpg" }).click();
  const picture = page.getByRole("group", { name: "Picture to draw boxes on" });
  await expectShown(picture.locator("img"));
  const { x, y, width, height } = (await picture.boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  const touch = await page.context().newCDPSession(page);
  const touchAt = async (type: string, part: number) =>
    touch.send("Input.dispatchTouchEvent", {
      // The protocol's type of `type` is not exported.
      type: type as "touchStart",
      touchPoints: type === "touchEnd" ? [] : [{ x: x + width * part, y: y + height * part }],
    });
  await touchAt("touchStart", 0.1);
  for (const part of [0.15, 0.2, 0.3]) await touchAt("touchMove", part);
  await touchAt("touchEnd", 0.3);
  const number = (name: string) => page.getByRole("spinbutton", { name });
  await expect(number("Region 1, left")).toHaveValue("120");
  await page.getByRole("button", { name: "Add region" }).click();
  await number("Region 2, width").fill("77");
  await expect(picture.getByRole("button")).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Copy as code" }).click();
  await expect(page.getByRole("tabpanel")).toContainText(
    /region=\["120,80,\d+,\d+","300,200,77,400"\]/,
  );
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Remove region 1" }).click();
  await expect(number("Region 1, width")).toHaveValue("77");
  await run(page);
  await expectShown(result.getByRole("img", { name: "After" }));
});

test("a part of audio is picked on the player", async ({ signedIn: page }) => {
  const result = await open(page, "audio/trim");
  await page.getByRole("button", { name: "audio.flac" }).click();
  const player = page.locator("audio");
  await expect
    .poll(() => player.evaluate(({ duration }: HTMLAudioElement) => duration))
    .toBeGreaterThan(3);
  await page.getByRole("slider", { name: "Pick start" }).press("PageUp");
  await page.getByRole("slider", { name: "Pick end" }).press("End");
  await expectAccessible(page);
  await player.evaluate((audio: HTMLAudioElement) => {
    audio.currentTime = 1.5;
  });
  await page.getByRole("button", { name: "Current time as end" }).click();
  await expect(page.getByRole("textbox", { name: "end" })).toHaveValue("0:01.5");
  await page.getByRole("textbox", { name: "start" }).fill("00:00:00.5");
  await expect(page.getByText("0:00.5 to 0:01.5, 1 s")).toBeVisible();
  await run(page);
  await expect(result.getByText("Completed", { exact: true })).toBeVisible();
  await expect(result.getByText(/, 1\.0 s$/)).toBeVisible();
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

test("an upload shows its progress and can be cancelled", async ({ signedIn: page, api }) => {
  const result = await open(page, "pipeline/file-inspect");
  const bytes = Buffer.alloc(4_000_000, "some text. ");
  const large = { name: "large.txt", mimeType: "text/plain", buffer: bytes };
  await page.getByLabel("Choose the input").setInputFiles(large);
  const network = await page.context().newCDPSession(page);
  const limits = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 400_000 };
  await network.send("Network.emulateNetworkConditions", limits);
  await run(page);
  const upload = result.getByRole("progressbar", { name: "Upload" });
  await expect(upload).toHaveAttribute("aria-valuetext", /of 4 MB$/);
  await result.getByRole("button", { name: "Cancel upload" }).click();
  await expect(result.getByText("No result yet")).toBeVisible();
  const { jobs } = await (await api.request("/v1/jobs")).json();
  expect(jobs).toEqual([]);
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
  await page.waitForTimeout(1000);
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
  const drag = (type: string) =>
    page.evaluate((type) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["x"], "x.jpg", { type: "image/jpeg" }));
      const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector("h1")?.dispatchEvent(event);
    }, type);
  await drag("dragenter");
  await expect(
    page.getByText("Drop a file, many files, a folder or a ZIP", { exact: true }),
  ).toBeVisible();
  await drag("drop");
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
