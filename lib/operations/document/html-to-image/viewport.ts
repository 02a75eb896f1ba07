import { findDevice } from "#lib/engines/chromium/page/devices.ts";
import type { Viewport } from "#lib/engines/chromium/page/settings.ts";

interface ViewportParams {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly device?: string | undefined;
  readonly user_agent?: string | undefined;
}

/** The browser window and the user agent: those of the device, if there is one. */
export async function resolveViewport({
  device,
  user_agent: userAgent,
  ...size
}: ViewportParams): Promise<{ viewport: Viewport; userAgent: string | undefined }> {
  const { width, height, scale } = size;
  if (!device) return { viewport: { width, height, scale }, userAgent };
  const { viewport, userAgent: ofDevice } = await findDevice(device);
  const { deviceScaleFactor = 1, isMobile = false, hasTouch = false } = viewport;
  const screen = { width: viewport.width, height: viewport.height, scale: deviceScaleFactor };
  return { viewport: { ...screen, isMobile, hasTouch }, userAgent: userAgent ?? ofDevice };
}
