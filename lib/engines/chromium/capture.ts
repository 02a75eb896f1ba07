import { JobError } from "#lib/errors.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { type FileLimits, limitError, widestLimits } from "#lib/limits/limits.ts";
import { quote, requireSelectors } from "./page/change-page.ts";
import type { IsolatedWorld } from "./page/evaluate.ts";
import type { PageTarget } from "./page/page-target.ts";
import type { PageSettings, Viewport } from "./page/settings.ts";

export interface CaptureSettings {
  readonly format: "png" | "jpeg" | "webp";
  /** The quality of a JPEG or WebP from 1 to 100. */
  readonly quality?: number;
  /** Whether the image shows all of the page, not only its viewport. */
  readonly isFullPage: boolean;
  /** CSS selector of the only element to show. */
  readonly selector?: string | undefined;
  /** Absolute path of the image to write. */
  readonly output: string;
  readonly settings: PageSettings & { readonly viewport: Viewport };
}

/** The size of the image in pixels. */
export interface Captured {
  readonly width: number;
  readonly height: number;
}

/** The longest side of an image in pixels, which is that of WebP (VP8, RFC 6386, 9.1). */
const maxSide = 16_383;

const defaultQuality = 90;

interface Area extends Captured {
  readonly x: number;
  readonly y: number;
}

/**
 * Captures a page that has loaded. Throws `JobError` `empty` if the selector matches no visible element,
 * and `too_complex` if the image would be too large.
 */
export async function capturePage(
  { session }: PageTarget,
  world: IsolatedWorld,
  request: CaptureSettings & { readonly limits?: FileLimits },
): Promise<Captured> {
  const { format, isFullPage, selector, output, limits = widestLimits } = request;
  const { quality = defaultQuality } = request;
  const { viewport } = request.settings;
  // A phone shows a page that is wider than its screen at a smaller scale.
  const zoom = viewport.isMobile ? Number(await world.evaluate("visualViewport?.scale ?? 1")) : 1;
  const scale = viewport.scale * zoom;
  const windowArea = { x: 0, y: 0, width: viewport.width / zoom, height: viewport.height / zoom };
  if (selector) await requireSelectors(world, "selector", [selector]);
  const area = selector
    ? await findElement(world, selector)
    : ((isFullPage ? await findPage(world) : undefined) ?? windowArea);
  // Chromium paints boxes on whole device pixels.
  const left = Math.round(area.x * scale);
  const top = Math.round(area.y * scale);
  const width = Math.max(1, Math.round((area.x + area.width) * scale) - left);
  const height = Math.max(1, Math.round((area.y + area.height) * scale) - top);
  requireImageSize(width, height, limits);
  const x = left / scale;
  const y = top / scale;
  const { data } = await session.send("Page.captureScreenshot", {
    format,
    ...(format === "png" ? {} : { quality }),
    clip: { x, y, width: width / scale, height: height / scale, scale: zoom },
    captureBeyondViewport: true,
  });
  await writeNew(output, Buffer.from(data, "base64"));
  return { width, height };
}

function requireImageSize(width: number, height: number, limits: FileLimits): void {
  if (width * height > limits.imagePixels) throw limitError("imagePixels", limits.imagePixels);
  if (Math.max(width, height) <= maxSide) return;
  const message = `The image would be ${width}×${height} pixels, and a side is at most ${maxSide}. Set \`full_page\` to false, a smaller \`scale\`, or a \`selector\`.`;
  throw new JobError("too_complex", message);
}

/** The border box of the first element that matches, in CSS pixels of the document. */
async function findElement(world: IsolatedWorld, selector: string): Promise<Area> {
  const found = await world.evaluate(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)});
    if (!element) return null;
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + scrollX, y: y + scrollY, width, height };
  })()`);
  const area = parseArea(found);
  if (area) return area;
  throw new JobError("empty", `\`selector\`: no visible element matches ${quote(selector)}.`);
}

async function findPage(world: IsolatedWorld): Promise<Area | undefined> {
  const found = await world.evaluate(`(() => {
    const { scrollWidth, scrollHeight } = document.scrollingElement ?? document.documentElement;
    return { x: 0, y: 0, width: scrollWidth, height: scrollHeight };
  })()`);
  return parseArea(found);
}

/** Parses the area of an element. Returns undefined if it has no size. */
function parseArea(value: unknown): Area | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { x, y, width, height } = value as Record<string, unknown>;
  const numbers = [x, y, width, height].map(Number);
  if (!numbers.every(Number.isFinite)) return undefined;
  const [left = 0, top = 0, wide = 0, high = 0] = numbers;
  return wide > 0 && high > 0 ? { x: left, y: top, width: wide, height: high } : undefined;
}
