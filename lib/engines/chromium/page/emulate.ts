import type { CDPSession } from "puppeteer";
import { cookieUrl } from "./credentials.ts";
import type { PageDocument } from "./page-document.ts";
import type { PageTarget } from "./page-target.ts";
import type { PageSettings, Viewport } from "./settings.ts";

/** Applies the settings that a page must have before it loads. */
export async function emulateSettings(
  page: PageTarget,
  document: PageDocument,
  settings: PageSettings,
): Promise<void> {
  const { credentials, viewport, blocksScripts, isTransparent } = settings;
  const { session } = page;
  const sent: Promise<unknown>[] = [];
  const userAgent = credentials?.userAgent;
  if (userAgent) {
    const override = (one: CDPSession) => one.send("Network.setUserAgentOverride", { userAgent });
    page.requests.onFrame = override;
    sent.push(override(session));
  }
  sent.push(emulateMedia(session, settings));
  if (blocksScripts) {
    sent.push(session.send("Emulation.setScriptExecutionDisabled", { value: true }));
  }
  if (isTransparent) {
    const color = { r: 0, g: 0, b: 0, a: 0 };
    sent.push(session.send("Emulation.setDefaultBackgroundColorOverride", { color }));
  }
  if (viewport) sent.push(setViewport(session, viewport));
  sent.push(setCookies(page, document, settings));
  await Promise.all(sent);
}

export async function emulateMedia(
  session: CDPSession,
  { media, dark, mediaFeatures = {} }: Pick<PageSettings, "media" | "dark" | "mediaFeatures">,
): Promise<void> {
  const given = Object.entries(mediaFeatures).map(([name, value]) => ({ name, value }));
  if (media === undefined && dark === undefined && given.length === 0) return;
  const scheme = { name: "prefers-color-scheme", value: dark ? "dark" : "light" };
  const features = dark === undefined ? given : [scheme, ...given];
  await session.send("Emulation.setEmulatedMedia", { ...(media ? { media } : {}), features });
}

export async function setViewport(session: CDPSession, viewport: Viewport): Promise<void> {
  const { width, height, scale, isMobile = false, hasTouch = false } = viewport;
  const size = { width, height, deviceScaleFactor: scale, mobile: isMobile };
  await Promise.all([
    session.send("Emulation.setDeviceMetricsOverride", size),
    session.send("Emulation.setScrollbarsHidden", { hidden: true }),
    hasTouch && session.send("Emulation.setTouchEmulationEnabled", { enabled: true }),
  ]);
}

async function setCookies(
  { session }: PageTarget,
  { url, requestedUrl = url }: PageDocument,
  { credentials }: PageSettings,
): Promise<void> {
  const requested = new URL(requestedUrl);
  const sent = (credentials?.cookies ?? []).map((cookie) => {
    const { name, value, path = "/", secure = false } = cookie;
    return session.send("Network.setCookie", {
      name,
      value,
      path,
      secure,
      // Without `domain`, it is a cookie of this host only.
      url: cookieUrl(cookie, requested),
      ...(secure ? { sameSite: "None" } : {}),
      sourceScheme: "Unset",
      sourcePort: -1,
    });
  });
  await Promise.all(sent);
}
