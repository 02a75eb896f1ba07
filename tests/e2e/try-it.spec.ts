import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "./support/fixtures.ts";

const photo = fileURLToPath(new URL("../../public/samples/inputs/photo.jpg", import.meta.url));
const runInShell = (line: string) => promisify(execFile)("sh", ["-c", line]);

/** Counts the clicks of the user on this and all later pages. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction("countClick", () => {
    clicks++;
  });
  await page.addInitScript(() => {
    const count: unknown = Reflect.get(window, "countClick");
    // A click on a label or by a script is not another one of the user.
    const isReal = (event: MouseEvent) => event.isTrusted && event.detail > 0;
    window.addEventListener(
      "click",
      (event) => isReal(event) && typeof count === "function" && count(),
      true,
    );
  });
  return () => clicks;
}

for (const width of [1440, 390]) {
  test(`a visitor gets a result in three clicks, then makes a first API call in two more, at ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    const clicks = await countClicks(page);
    await page.goto("/");
    const area = page.getByRole("region", { name: "Try it" });
    const startedAt = Date.now();
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      area.getByRole("button", { name: "Your file", exact: true }).click(),
    ]);
    await chooser.setFiles(photo);
    await area.getByRole("button", { name: "Crop to a square" }).click();
    await area.getByRole("button", { name: "Run" }).click();
    await expect(area.getByText("Completed", { exact: true })).toBeVisible();
    expect(Date.now() - startedAt).toBeLessThan(30_000);
    expect(clicks()).toBe(3);
    await expect(area.getByText(/^image\/jpeg, .* × /)).toBeVisible();
    await expect(area.getByText("Running")).toBeVisible();
    for (const language of ["curl", "TypeScript", "Python", "CLI"]) {
      await area.getByRole("tab", { name: language }).click();
      await expect(area.getByRole("tabpanel", { name: language })).toContainText("photo.jpg");
    }
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      area.getByRole("link", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("photo-crop.jpg");
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(overflow).toBeLessThanOrEqual(width);
    await expectAccessible(page);

    const before = { clicks: clicks(), at: Date.now() };
    await page.getByRole("banner").getByRole("link", { name: "Sign up" }).click();
    await page
      .getByLabel("Email address")
      .fill(`visitor-${randomBytes(5).toString("hex")}@example.com`);
    await page.getByLabel("Password", { exact: true }).fill("purple lighthouse 9");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Create key" }).click();
    await expect(page.getByText(/^mm_test_\w{36}$/)).toBeVisible();
    const command = page.locator("li", { hasText: "Run this command" }).locator("code");
    const { stdout } = await runInShell(await command.innerText());
    expect(JSON.parse(stdout)).toMatchObject({ status: "completed" });
    await expect(page.getByRole("link", { name: "Open job" })).toBeVisible();
    expect(clicks() - before.clicks).toBe(2);
    expect(Date.now() - before.at).toBeLessThan(120_000);
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

  // One or two values can be changed here, and are checked when the field is left.
  await area.getByRole("button", { name: "Photo" }).click();
  await area.getByRole("button", { name: "Resize", exact: true }).click();
  await area.getByLabel("Width").fill("99999");
  await area.getByLabel("Width").blur();
  await expect(area.getByText("Width must be a whole number from 1 to 16383.")).toBeVisible();
  await area.getByLabel("Width").fill("300");
  await area.getByRole("button", { name: "Run" }).click();
  await expect(area.getByText(/^image\/jpeg, .* 300 × /)).toBeVisible();
  await area.getByLabel("Choose your file").setInputFiles({
    name: "fake.jpg",
    mimeType: "image/jpeg",
    buffer: Buffer.from("some text"),
  });
  await area.getByRole("button", { name: "Run" }).click();
  await expect(area.getByRole("alert")).toHaveText("fake.jpg is a text file, not an image.");
  await area.getByLabel("Choose your file").setInputFiles({
    name: "large.jpg",
    mimeType: "image/jpeg",
    buffer: Buffer.alloc(10_000_001),
  });
  await expect(area.getByRole("alert")).toContainText("at most 10 MB");
  await expect(area.getByRole("link", { name: "Create an account" })).toBeVisible();
  await expect(area.getByRole("button", { name: "Run" })).toBeDisabled();
  expect(sent.filter((url) => url.includes("/try/run/"))).toHaveLength(3);
});
