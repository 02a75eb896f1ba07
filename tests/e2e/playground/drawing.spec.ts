import { expect, expectAccessible, test } from "../support/fixtures.ts";
import { open, run } from "../support/playground-page.ts";
import { expectShown } from "../support/previews.ts";

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
  const read = async (name: string) => Number(await number(name).inputValue());
  await expect.poll(async () => Math.abs((await read("left")) - 300)).toBeLessThan(6);
  const left = await read("left");
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
  await expect.poll(async () => Math.abs((await read("width")) - 400)).toBeLessThan(6);
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
