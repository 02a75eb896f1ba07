import { expect, type Locator } from "@playwright/test";

/** The image is loaded and visible. */
export async function expectShown(image: Locator): Promise<void> {
  await expect(image).toBeVisible();
  await expect
    .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBeGreaterThan(0);
}

/** The video or audio advances when it is played. */
export async function expectPlays(media: Locator): Promise<void> {
  await media.evaluate((element: HTMLMediaElement) => {
    element.muted = true;
    return element.play();
  });
  await expect
    .poll(() => media.evaluate((element: HTMLMediaElement) => element.currentTime))
    .toBeGreaterThan(0.1);
}

/** The canvas has content: some of its pixels are dark. */
export async function expectDrawn(canvas: Locator): Promise<void> {
  await expect(canvas).toBeVisible();
  await expect.poll(() => canvas.evaluate(countDark)).toBeGreaterThan(100);
}

function countDark(canvas: SVGElement | HTMLElement): number {
  if (!(canvas instanceof HTMLCanvasElement) || canvas.width === 0) return 0;
  const data = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data;
  let dark = 0;
  for (let at = 0; data && at < data.length; at += 4) {
    const light = (data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0);
    if (light < 300 && data[at + 3] === 255) dark++;
  }
  return dark;
}
